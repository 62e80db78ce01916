// The types of the API. They are made by tests/web/check_page.py --write.
export interface components {
  schemas: {
    About: {
      version: string;
      modes: components["schemas"]["ModeView"][];
      today: string;
      first_day: string;
      limits: {
        [key: string]: number;
      };
      /** @default 65536 */
      max_body: number;
    };
    /** @description An agent or the solver, as the page offers it. */
    Adviser: {
      name: string;
      about: string;
      /** @enum {string} */
      kind: "solver" | "learned" | "baseline";
      /** @description Whether it judges every square. */
      values: boolean;
      /** @description The hash of the weights. */
      weights?: string | null;
      /** @description Of the boards on which it answers in time; null: of any. */
      max_squares?: number | null;
    };
    AgainBoard: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "again";
      /** @description The game whose board is played again. */
      game: string;
    };
    AnalysisView: {
      pending: boolean;
      par: components["schemas"]["ParView"];
      you: components["schemas"]["Film"];
      moves: components["schemas"]["MoveAnalysis"][];
      optimum: components["schemas"]["Film"] | null;
      agent: components["schemas"]["Film"] | null;
      agent_name: string | null;
    };
    ArchiveDay: {
      day: string;
      size: number;
      p: number;
      /** @description The moves of my first attempt, by mode. */
      played: {
        [key: string]: number;
      };
    };
    CampaignBoard: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "campaign";
      number: number;
    };
    CampaignOrigin: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "campaign";
      number: number;
      title: string;
      idea: string;
      par: number;
    };
    Consent: {
      /** @constant */
      agree: true;
      /** @description A game under way that shall count as mine. */
      game?: string | null;
    };
    DailyBoard: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "daily";
      mode: string;
      day: string;
    };
    DailyEntry: {
      /** @description Players with equally many moves share a rank. */
      rank: number;
      name: string;
      moves: number;
      undos: number;
      mine: boolean;
    };
    DailyOrigin: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "daily";
      day: string;
    };
    DailyView: {
      day: string;
      mode: string;
      height: number;
      width: number;
      p: number;
      /** @description The board as it is laid, a digit a square. */
      status: string;
      par: components["schemas"]["ParView"];
      /** @description First attempts without help, the best first. */
      entries: components["schemas"]["DailyEntry"][];
      /** @description The number of them, by moves. */
      distribution: {
        [key: string]: number;
      };
      /** @description The number of first attempts without help. */
      honest: number;
      /** @description The number of first attempts with help. */
      helped: number;
      mine: components["schemas"]["MyAttempt"] | null;
    };
    /** @description A line of play that can be shown without knowing the rules. */
    Film: {
      start: string;
      frames: components["schemas"]["Frame"][];
      done: boolean;
      /** @description The squares along which the line parts the board. */
      cut: number[];
    };
    FilmView: {
      game: components["schemas"]["GameView"];
      film: components["schemas"]["Film"];
      agent: string;
    };
    Frame: {
      square: number;
      /** @description [square, new state] for every square that changed. */
      changes: [number, number][];
    };
    GameView: {
      id: string;
      board: string;
      /** @description The board in a share link. */
      code: string;
      mode: string;
      options: {
        [key: string]: unknown;
      };
      height: number;
      width: number;
      /** @description A digit a square: 0 blocked 1 active 2 inactive 3 attacked. */
      status: string;
      /** @description Network: the largest size that a second piece ever had. Shatter: the size W. */
      best: number;
      turn: number;
      ply: number;
      moves: number[];
      can_undo: boolean;
      can_redo: boolean;
      done: boolean;
      hints: number;
      peeks: number;
      undos: number;
      agent_moves: number;
      /** @description The time from the start to the last event, by the server's clock. */
      seconds: number;
      origin:
        | components["schemas"]["RandomOrigin"]
        | components["schemas"]["LinkOrigin"]
        | components["schemas"]["TextOrigin"]
        | components["schemas"]["LessonOrigin"]
        | components["schemas"]["DailyOrigin"]
        | components["schemas"]["RoomOrigin"]
        | components["schemas"]["CampaignOrigin"];
      /** @description Whether the game belongs to a player who consented. */
      mine: boolean;
      /** @description Whether the one who asks may move in it. */
      yours: boolean;
      /** @description Whether its player had no earlier game on this board. */
      first: boolean;
      /** @description The help that may be asked for. */
      allowed: string[];
      /** @description The squares along which a finished game parts the board. */
      cut: number[];
    };
    HintView: {
      game: components["schemas"]["GameView"];
      square: number;
    };
    Join: {
      name: string;
      /** @constant */
      agree: true;
    };
    LessonOrigin: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "lesson";
    };
    LevelView: {
      number: number;
      title: string;
      idea: string;
      mode: string;
      /** @description The board: o is open, # is blocked. */
      rows: string[];
      par: number;
    };
    /** @description A step along the line of moves: undo, redo or restart. */
    LineStep: {
      turn: number;
      think_ms?: number | null;
    };
    LinkOrigin: {
      rival?: string | null;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "link";
    };
    LinkView: {
      mode: string;
      options: {
        [key: string]: unknown;
      };
      height: number;
      width: number;
      rows: string[];
    };
    LinkedBoard: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "link";
      code: string;
    };
    ModeStats: {
      mode: string;
      finished: number;
      /** @description Games finished in par, without hints or moves by agents. */
      perfect: number;
      mean_over_par: number | null;
      /** @description The number of games by moves over par. */
      over_par: {
        [key: string]: number;
      };
    };
    ModeView: {
      name: string;
      description: string;
      custom: boolean;
      options: components["schemas"]["OptionView"][];
      agents: components["schemas"]["Adviser"][];
    };
    Move: {
      /** @description The event's number in the game's log; a repeat changes nothing. */
      turn: number;
      /** @description The number of moves on the board before this one. */
      ply: number;
      /** @description row × width + column */
      square: number;
      think_ms?: number | null;
    };
    MoveAnalysis: {
      square: number;
      /** @description The fewest moves known from before this move. */
      to_go: number | null;
      /** @description The fewest moves known from after it. */
      after: number | null;
      /** @description The moves that it lost, as far as is known. */
      cost: number | null;
      certain: boolean;
      /** @description A square that would have lost nothing. */
      better: number | null;
    };
    MyAttempt: {
      game: string;
      moves: number;
      done: boolean;
      helped: boolean;
    };
    NewGame: {
      board:
        | components["schemas"]["RandomBoard"]
        | components["schemas"]["DailyBoard"]
        | components["schemas"]["LinkedBoard"]
        | components["schemas"]["TextBoard"]
        | components["schemas"]["CampaignBoard"]
        | components["schemas"]["RoomBoard"]
        | components["schemas"]["AgainBoard"];
      /** @description An agent to race against, one move for each of mine. */
      rival?: string | null;
    };
    NewName: {
      /** @description null removes the name. */
      name: string | null;
    };
    NewRoom: {
      title: string;
      /**
       * @description The help that pupils may ask for.
       * @default [
       *       "hint",
       *       "solver",
       *       "takeover"
       *     ]
       */
      allowed: ("hint" | "solver" | "takeover")[];
      boards: (
        | components["schemas"]["RandomBoard"]
        | components["schemas"]["DailyBoard"]
        | components["schemas"]["LinkedBoard"]
        | components["schemas"]["TextBoard"]
        | components["schemas"]["CampaignBoard"]
        | components["schemas"]["RoomBoard"]
        | components["schemas"]["AgainBoard"]
      )[];
    };
    OptionView: {
      name: string;
      default: boolean | number | string;
      choices: string[];
    };
    OutlookView: {
      game: components["schemas"]["GameView"];
      /** @description The squares that an attack would cut off, for each attack that does. */
      cuts: {
        [key: string]: number[];
      };
    };
    ParView: {
      /** @description The fewest moves known; null as long as no solution is known. */
      value: number | null;
      /** @description The number of moves that are needed at least. */
      bound: number | null;
      proven: boolean;
      /** @description Whether a better answer is being worked out. */
      pending: boolean;
    };
    PlayerView: {
      consented: boolean;
      name?: string | null;
    };
    Problem: {
      /** @description One sentence that says what was wrong and what is allowed. */
      detail: string;
    };
    Question: {
      turn: number;
      agent: string;
      think_ms?: number | null;
    };
    RandomBoard: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "random";
      mode: string;
      /** @default {} */
      options: {
        [key: string]: string | number | boolean;
      };
      height: number;
      width: number;
      p: number;
      /** @description A new one if it is left out. */
      seed?: number | null;
    };
    RandomOrigin: {
      rival?: string | null;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "random";
      p: number;
      seed: number;
    };
    RivalView: {
      agent: string;
      /** @description As many moves as the player has made; all when it is over. */
      film: components["schemas"]["Film"];
      /** @description The moves that the rival needs; null until it is over. */
      total: number | null;
    };
    RoomBoard: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "room";
      room: string;
      number: number;
    };
    RoomBoardView: {
      number: number;
      mode: string;
      options: {
        [key: string]: unknown;
      };
      height: number;
      width: number;
      par: components["schemas"]["ParView"];
    };
    RoomCell: {
      moves: number;
      done: boolean;
      hints: number;
      undos: number;
      seconds: number;
    };
    RoomLock: {
      /** @description Whether nobody else can join. */
      locked: boolean;
    };
    RoomMade: {
      code: string;
      /** @description It opens the results; it is shown only once. */
      key: string;
    };
    RoomOrigin: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "room";
      room: string;
      number: number;
      /**
       * @description The number of the room's boards.
       * @default 0
       */
      boards: number;
    };
    RoomResults: {
      code: string;
      title: string;
      locked: boolean;
      boards: components["schemas"]["RoomBoardView"][];
      rows: components["schemas"]["RoomRow"][];
      allowed: string[];
      /** @description Addresses of this machine in its networks. */
      addresses: string[];
    };
    RoomRow: {
      /** @description The id by which the member can be removed. */
      member: string;
      name: string;
      results: (components["schemas"]["RoomCell"] | null)[];
    };
    RoomView: {
      code: string;
      title: string;
      boards: components["schemas"]["RoomBoardView"][];
      joined: boolean;
      name: string | null;
      locked: boolean;
      /** @description My best finished game on each board, or the latest unfinished one. */
      mine: (components["schemas"]["RoomCell"] | null)[];
      /** @description The help that may be asked for. */
      allowed: string[];
    };
    StartView: {
      about: components["schemas"]["About"];
      me: components["schemas"]["PlayerView"];
      today: components["schemas"]["ArchiveDay"];
    };
    Stats: {
      games: number;
      finished: number;
      /** @description Days in a row, up to now, with a finished daily board. */
      streak: number;
      longest_streak: number;
      modes: components["schemas"]["ModeStats"][];
    };
    TextBoard: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "text";
      mode: string;
      /** @default {} */
      options: {
        [key: string]: string | number | boolean;
      };
      rows: string[];
      /**
       * @description Boards of the lesson belong to no player and are not kept.
       * @default false
       */
      lesson: boolean;
    };
    TextOrigin: {
      rival?: string | null;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: "text";
    };
    ValuesView: {
      game: components["schemas"]["GameView"];
      values: (number | null)[];
      best: number;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type Schemas = components["schemas"];
