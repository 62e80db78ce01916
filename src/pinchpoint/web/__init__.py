"""The game in the browser: a server that owns rules and state, a database, and the page.

`app` puts the server together from the routes in `routes/`. A puzzle is a board with its mode;
`games` stores games as logs of events in the database (`db/`); `solving` finds par and `advisers`
give hints, both in the processes of `workers`. `static/` is the page. The commands in `cli/` start
a server, export stored games and delete old ones. No module is imported before it is used.
"""
