// The class: a teacher makes a room with a list of boards; those who join play them.

import { h } from "../../vendor/preact.js";
import { encode } from "../../vendor/uqr.js";
import * as api from "../api.js";
import { button, emblem, field, icon, link, select, slider } from "../parts.js";
import { newGame } from "../session.js";
import { get, go, notify, set } from "../state.js";
import { capital, codeIn, count, optionsText, parText } from "../words.js";
import { usual } from "./new.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Room} Room */

/** What a teacher can switch off. @type {[string, string][]} */
const SWITCHES = [
  ["hint", "ask for hints and maps"],
  ["solver", "ask the solver"],
  ["takeover", "watch an agent or let it play"],
];

/** @param {string[]} params  nothing, a code, or a code and the teacher's key */
export async function loadRoom(params) {
  const [code, key] = params;
  set({ room: null, results: null, removing: "" });
  if (!code) return;
  if (key && !location.hash) return go(`class/${code}#${key}`, true); // as such addresses once were
  if (key) return followResults(code, key);
  const lost = `There is no room ${code.slice(0, 12)}. Ask your teacher for its code: six letters or digits.`;
  await api.poll(
    () => api.read(`/rooms/${encodeURIComponent(code.toUpperCase())}`),
    (room) => set({ room }),
    { refused: () => set({ lost }) },
  );
}

/** Ask for the table again and again. @param {string} code @param {string} key */
async function followResults(code, key) {
  const ask = () => api.read(`/rooms/${encodeURIComponent(code)}/results`, { "x-room-key": key });
  const use = (/** @type {import("../types.js").RoomResults} */ results) => {
    set({ results });
    return true;
  };
  const lost = "This address does not open the results of a room. The key at its end may have been cut short.";
  await api.poll(ask, use, { wait: 2000, most: 2000, refused: () => set({ lost }) });
}

/** @param {State} state */
export function roomView(state) {
  const [code, key] = state.route.params;
  if (code && key) return teacherView(state, code, key);
  if (code) return state.room ? pupilView(state.room) : h("p", { class: "empty" }, "One moment …");
  return h(
    "div",
    { class: "page", key: "class" },
    h(
      "section",
      { class: "hero" },
      h("h1", null, "Play with a class"),
      h(
        "p",
        null,
        "A teacher makes a room and shows its code; everyone plays the same boards, and the results come in live.",
      ),
    ),
    h("div", { class: "columns" }, joinForm(), makeForm(state)),
  );
}

const joinForm = () =>
  h(
    "form",
    {
      class: "card",
      onsubmit: (/** @type {any} */ e) => {
        e.preventDefault();
        const code = e.target.elements.code.value.trim().toUpperCase();
        if (/^[A-Z0-9]{6}$/.test(code)) go(`class/${code}`);
        else notify("A room's code has six letters or digits.", true);
      },
    },
    h("h2", null, "Join a room"),
    field("Code", h("input", { name: "code", maxlength: 6, class: "code", autocomplete: "off", spellcheck: false })),
    h("button", { type: "submit", class: "button primary" }, "Enter"),
  );

/** @param {Partial<State["roomForm"]>} form */
const change = (form) => set({ roomForm: { ...get().roomForm, ...form } });

/** @param {State} state */
function makeForm(state) {
  const { setup, roomForm, about } = state;
  return h(
    "form",
    { class: "card", onsubmit: make },
    h("h2", null, "Make a room"),
    field(
      "Title",
      h("input", {
        name: "title",
        maxlength: 80,
        required: true,
        value: roomForm.title,
        placeholder: "Monday morning",
        oninput: (/** @type {any} */ e) => change({ title: e.target.value }),
      }),
    ),
    field(
      "Mode",
      select(
        setup.mode,
        (about?.modes ?? []).map((m) => [m.name, capital(m.name)]),
        (mode) => set({ setup: { ...get().setup, ...usual(mode) } }),
      ),
    ),
    slider(
      "Size",
      setup.height,
      5,
      40,
      1,
      (n) => set({ setup: { ...get().setup, height: n, width: n } }),
      `${setup.height} × ${setup.width}`,
    ),
    slider(
      "Density",
      Math.round(setup.p * 100),
      40,
      100,
      1,
      (n) => set({ setup: { ...get().setup, p: n / 100 } }),
      `${Math.round(setup.p * 100)} % open`,
    ),
    slider("Boards", roomForm.count, 1, 12, 1, (count) => change({ count })),
    h(
      "div",
      { class: "chips" },
      button("plus", "Add to the list", () => add(these()), { id: "add-boards" }),
    ),
    h(
      "div",
      { class: "with-button" },
      field(
        "Or paste a share link",
        h("input", {
          value: roomForm.link,
          maxlength: 3000,
          spellcheck: false,
          autocomplete: "off",
          oninput: (/** @type {any} */ e) => change({ link: e.target.value }),
        }),
      ),
      button("plus", "Add", addLink, { id: "add-link" }),
    ),
    h(
      "fieldset",
      { class: "switches" },
      h("legend", null, "Pupils may"),
      SWITCHES.map(([name, label]) =>
        h(
          "label",
          { class: "switch", key: name },
          h("input", {
            type: "checkbox",
            id: `allow-${name}`,
            checked: roomForm.switches[name] ?? true,
            onchange: (/** @type {any} */ e) =>
              change({ switches: { ...get().roomForm.switches, [name]: e.target.checked } }),
          }),
          label,
        ),
      ),
    ),
    roomForm.boards.length > 0 &&
      h(
        "ol",
        { class: "board-list", "aria-label": "In the room" },
        roomForm.boards.map((b, i) =>
          h(
            "li",
            null,
            h("span", null, b.label),
            h(
              "button",
              {
                type: "button",
                class: "round",
                "aria-label": `Remove board ${i + 1}`,
                onclick: () => change({ boards: roomForm.boards.filter((_, j) => j !== i) }),
              },
              icon("close"),
            ),
          ),
        ),
      ),
    h(
      "button",
      { type: "submit", class: "button primary" },
      roomForm.boards.length ? `Make the room with ${count(roomForm.boards.length, "board")}` : "Make the room",
    ),
  );
}

/** Random boards as the form has them now. */
function these() {
  const { setup, roomForm } = get();
  const { mode, options, height, width, p } = setup;
  const label = [capital(mode), `${height} × ${width}`, optionsText(options), `${Math.round(p * 100)} % open`]
    .filter(Boolean)
    .join(", ");
  const board = { kind: "random", mode, options, height, width, p };
  return Array.from({ length: roomForm.count }, () => ({ label, board }));
}

/** @param {State["roomForm"]["boards"]} more */
function add(more) {
  const boards = [...get().roomForm.boards, ...more];
  const most = get().about?.limits.room_boards ?? boards.length;
  if (boards.length > most) return notify(`A room has at most ${most} boards.`, true);
  change({ boards });
}

async function addLink() {
  const text = get().roomForm.link.trim();
  const code = codeIn(text) || text;
  if (!code) return notify("Paste the link of a board first. You find one at the end of every game.", true);
  const found = await api.attempt(() => api.read(`/links/${encodeURIComponent(code)}`));
  if (!found) return;
  add([{ label: `${capital(found.mode)}, ${found.height} × ${found.width}, by link`, board: { kind: "link", code } }]);
  change({ link: "" });
}

/** @param {Event} event */
async function make(event) {
  event.preventDefault();
  const { roomForm } = get();
  const boards = (roomForm.boards.length ? roomForm.boards : these()).map((b) => b.board);
  const made = await api.attempt(() =>
    api.post("/rooms", {
      title: roomForm.title,
      boards,
      allowed: SWITCHES.map(([name]) => name).filter((name) => roomForm.switches[name] ?? true),
    }),
  );
  if (!made) return;
  change({ title: "", boards: [] });
  go(`class/${made.code}#${made.key}`);
}

/** @param {Room} room */
function pupilView(room) {
  return h(
    "div",
    { class: "page narrow", key: "room" },
    h("section", { class: "hero" }, h("h1", null, room.title), h("p", null, `Room ${room.code}`)),
    room.joined
      ? h(
          "ol",
          { class: "room-boards" },
          room.boards.map((b) =>
            h(
              "li",
              { class: "card", key: b.number },
              emblem(b.mode),
              h(
                "div",
                null,
                h("strong", null, `Board ${b.number + 1}`),
                h("span", null, `${capital(b.mode)}, ${b.height} × ${b.width}`),
                sofar(room, b),
              ),
              button(
                room.mine[b.number]?.done ? "restart" : "play",
                room.mine[b.number]?.done ? "Again" : "Play",
                () => newGame({ kind: "room", room: room.code, number: b.number }),
                { class: room.mine[b.number]?.done ? "" : "primary" },
              ),
            ),
          ),
        )
      : h(
          "form",
          { class: "card", onsubmit: (/** @type {any} */ e) => join(e, room) },
          h("h2", null, "Join"),
          field(
            "Your name, as your teacher will see it",
            h("input", { name: "name", maxlength: 24, required: true, autocomplete: "off" }),
          ),
          h(
            "p",
            { class: "small" },
            "By joining you agree that this server remembers your browser with a cookie and stores your " +
              "games under this name, where your teacher sees them. ",
            link("privacy", "What is stored, and how to delete it"),
            ".",
          ),
          h("button", { type: "submit", class: "button primary", id: "join" }, "Agree and join"),
        ),
  );
}

/** What the pupil has done on a board. @param {Room} room @param {import("../types.js").RoomBoard} board */
function sofar(room, board) {
  const mine = room.mine[board.number];
  if (!mine) return null;
  return mine.done
    ? h("b", { class: "done" }, `${count(mine.moves, "move")} ✓, ${parText(board.par)}`)
    : h("span", null, `begun: ${count(mine.moves, "move")}`);
}

/** @param {any} event @param {Room} room */
async function join(event, room) {
  event.preventDefault();
  const name = event.target.elements.name.value;
  const joined = await api.attempt(() => api.post(`/rooms/${room.code}/members`, { name, agree: true }));
  if (!joined) return;
  const me = await api.attempt(() => api.read("/me"));
  set({ room: joined, ...(me ? { me } : {}) });
}

/** @param {State} state @param {string} code @param {string} key */
function teacherView(state, code, key) {
  const { results, offline } = state;
  if (!results) return h("p", { class: "empty" }, "One moment …");
  return h(
    "div",
    { class: "page teacher", key: "teacher" },
    h(
      "section",
      { class: "hero with-code" },
      h(
        "div",
        null,
        h("h1", null, results.title),
        h("p", { class: "big-code" }, h("span", null, "Code"), h("b", { class: "code", id: "room-code" }, code)),
        address(results, code),
      ),
      qrCode(pupilAddress(results, code)),
    ),
    h(
      "section",
      { class: "card" },
      h(
        "h2",
        null,
        "Results",
        h("small", { id: "live", class: offline ? "warn" : "", role: "status" }, offline ? "reconnecting …" : "live"),
      ),
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "Results" },
        h(
          "table",
          { class: "results" },
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              h("th", { scope: "col" }, "Name"),
              results.boards.map((b) =>
                h(
                  "th",
                  { key: b.number, scope: "col" },
                  `${b.number + 1}. ${capital(b.mode)}`,
                  h("small", null, parText(b.par)),
                ),
              ),
            ),
          ),
          h(
            "tbody",
            null,
            results.rows.map((row) =>
              h(
                "tr",
                { key: row.member },
                memberCell(state, row, code, key),
                row.results.map((cell) =>
                  h(
                    "td",
                    { class: cell?.done ? "done" : "" },
                    cell === null
                      ? "–"
                      : cell.done
                        ? [h("b", null, cell.moves), h("small", null, cell.hints ? count(cell.hints, "hint") : "alone")]
                        : h("small", null, `${cell.moves} so far`),
                  ),
                ),
              ),
            ),
          ),
        ),
      ),
      !results.rows.length && h("p", null, "Nobody has joined yet."),
      h(
        "p",
        { class: "small" },
        `Pupils may: ${
          SWITCHES.filter(([name]) => results.allowed.includes(name))
            .map(([, label]) => label)
            .join("; ") || "play without any help"
        }.`,
      ),
      results.locked && h("p", { class: "warn", id: "locked" }, "The room is locked: nobody else can join."),
      h(
        "div",
        { class: "controls wide" },
        button("", "Download the table", () => downloadTable(code, key), { id: "download" }),
        button("", results.locked ? "Let others join again" : "Lock the room", () => lock(code, key, !results.locked), {
          id: "lock",
        }),
      ),
      h("p", { class: "small" }, "Keep the address of this page: it is the only key to these results."),
    ),
  );
}

/**
 * A name, and the way to remove it.
 * @param {State} state @param {import("../types.js").RoomResults["rows"][0]} row @param {string} code
 * @param {string} key
 */
function memberCell(state, row, code, key) {
  const sure = state.removing === row.member;
  return h(
    "th",
    { scope: "row" },
    row.name,
    sure
      ? h(
          "div",
          { class: "controls" },
          button("", "Remove", () => removeMember(code, key, row.member), {
            title: `Remove ${row.name} and these results`,
          }),
          button("", "Keep", () => set({ removing: "" })),
        )
      : h(
          "button",
          {
            type: "button",
            class: "text small remove",
            "aria-label": `Remove ${row.name}`,
            onclick: () => set({ removing: row.member }),
          },
          "remove",
        ),
  );
}

/** @param {string} code @param {string} key @param {boolean} locked */
async function lock(code, key, locked) {
  const done = await api.attempt(() => api.put(`/rooms/${code}/lock`, { locked }, { "x-room-key": key }));
  const { results } = get();
  if (done && results) set({ results: { ...results, locked } });
}

/** @param {string} code @param {string} key @param {string} member */
async function removeMember(code, key, member) {
  const gone = await api.attempt(async () => {
    await api.remove(`/rooms/${code}/members/${member}`, { "x-room-key": key });
    return true;
  });
  const { results } = get();
  if (gone && results)
    set({ removing: "", results: { ...results, rows: results.rows.filter((row) => row.member !== member) } });
}

const onlyHere = () => ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/**
 * The address for pupils; on this machine alone, the one that others would have.
 * @param {import("../types.js").RoomResults} results @param {string} code
 */
function pupilAddress(results, code) {
  const host =
    onlyHere() && results.addresses[0]
      ? `${results.addresses[0]}${location.port ? `:${location.port}` : ""}`
      : location.host;
  return `${location.protocol}//${host}/class/${code}`;
}

/** @param {import("../types.js").RoomResults} results @param {string} code */
function address(results, code) {
  const url = pupilAddress(results, code);
  return h(
    "div",
    { class: "prose" },
    h(
      "p",
      null,
      "Pupils enter the code under Class, or open ",
      h("a", { href: `/class/${code}`, id: "room-link" }, url.replace(/^https?:\/\//, "")),
      ".",
    ),
    onlyHere() &&
      h(
        "p",
        { class: "small warn", id: "only-here" },
        "You opened this page as ",
        h("b", null, location.hostname),
        ", which no other machine can reach. Start the server with ",
        h("code", null, `pinchpoint serve --host 0.0.0.0 --allow-host ${results.addresses[0] ?? "NAME"}`),
        " and open the page by that address. The link and the QR code use it already.",
      ),
  );
}

/** @param {string} text */
function qrCode(text) {
  const { size, data } = encode(text, { border: 2 });
  const d = data.flatMap((row, y) => row.map((on, x) => (on ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return h(
    "svg",
    { class: "qr", id: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": `QR code of ${text}` },
    h("rect", { width: size, height: size, fill: "#fff" }),
    h("path", { d, fill: "#000" }),
  );
}

/** @param {string} code @param {string} key */
async function downloadTable(code, key) {
  const text = await api.attempt(() => api.read(`/rooms/${code}/results.csv`, { "x-room-key": key }));
  if (text === null) return;
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const a = document.createElement("a");
  a.href = url;
  a.download = `room-${code}.csv`;
  a.click();
  URL.revokeObjectURL(url);
}
