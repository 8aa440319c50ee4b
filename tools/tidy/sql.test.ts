import { proveRules } from './project/prove-rules.ts'
import { sqlRules } from './sql.ts'

const select = 'const a = sql`select 1`\n'

proveRules(sqlRules, [
  {
    rule: 'sql-in-store',
    because: 'a statement in a use-case, a page, a simulator, a command',
    files: {
      'server/src/features/quotes/find-quote.ts': `\n${select}`,
      'server/src/pages/terms.ts': select,
      'server/src/sandbox/clock.ts': "const a = 'update platforms set offset_ms = 0'\n",
      'server/src/operator/jobs.ts': "const a = 'select id from jobs'\n",
    },
    at: [
      'server/src/features/quotes/find-quote.ts:2',
      'server/src/operator/jobs.ts:1',
      'server/src/pages/terms.ts:1',
      'server/src/sandbox/clock.ts:1',
    ],
  },
  {
    rule: 'sql-in-store',
    because: 'stores, the layers below features, and tests',
    files: {
      'server/src/features/quotes/store.ts': select,
      'server/src/features/cards/funding-store.ts': select,
      'server/src/infra/work/audit.ts': select,
      'server/src/ledger/post.ts': select,
      'server/src/webhooks/emit.ts': select,
      'server/src/features/quotes/a.test.ts': select,
      'server/test/kit/a.ts': select,
    },
    at: [],
  },
  {
    rule: 'sql-in-store',
    because: 'prose that begins like a statement',
    files: {
      'server/src/pages/a.ts': "const a = 'Select one from the list.'\nconst b = 'update'\n",
    },
    at: [],
  },
  {
    rule: 'sql-clock',
    because: 'the database is asked for the time',
    files: {
      'server/src/features/quotes/store.ts':
        'const a = sql`select now()`\n' +
        'const b = sql`update a set b = ${c} where d < current_timestamp`\n' +
        "const e = 'select clock_timestamp()'\n",
    },
    at: [1, 2, 3].map((line) => `server/src/features/quotes/store.ts:${line}`),
  },
  {
    rule: 'sql-clock',
    because: 'the instant comes as a parameter; the clock of the code is another matter',
    files: {
      'server/src/features/quotes/store.ts': 'const a = sql`select ${clock.now()}, known_now`\n',
      'server/test/kit/a.ts': 'const a = sql`select now()`\n',
    },
    at: [],
  },
  {
    rule: 'sql-clock-in-migration',
    because: 'a default is a clock as well',
    files: {
      'server/migrations/0001-a.sql': 'create table a (\n  b timestamptz default NOW()\n);\n',
    },
    at: ['server/migrations/0001-a.sql:2'],
  },
  {
    rule: 'sql-clock-in-migration',
    because: 'a comment about it is none',
    files: { 'server/migrations/0001-a.sql': 'create table a (b timestamptz); -- never now()\n' },
    at: [],
  },
  {
    rule: 'append-only',
    because: 'what was booked or audited is changed, taken away or written over',
    files: {
      'server/src/ledger/post.ts':
        'const a = sql`update ledger_entries set amount = ${b} where ${c}`\n' +
        'const d = sql`with gone as (delete from only ledger_journals where ${c} returning id) select 1`\n' +
        'const e = sql`insert into audit_entries (id) values (${f}) on conflict (id) do update set at = ${g}`\n',
      'server/src/features/quotes/store.ts': "const a = 'truncate table audit_entries'\n",
      'bench/a.ts': "await client.query('delete\\n  from public.ledger_entries')\n",
    },
    at: [
      'bench/a.ts:1',
      'server/src/features/quotes/store.ts:1',
      ...[1, 2, 3].map((line) => `server/src/ledger/post.ts:${line}`),
    ],
  },
  {
    rule: 'append-only',
    because: 'they are written and read, balances change, tests break what they like',
    files: {
      'server/src/ledger/post.ts':
        'const a = sql`insert into ledger_entries (id) select ${b} on conflict do nothing`\n' +
        'const c = sql`update ledger_balances b set amount = e.amount from ledger_entries e`\n' +
        'const d = sql`delete from jobs where id in (select id from audit_entries)`\n',
      'server/src/ledger/check-ledger.test.ts': 'const a = sql`delete from ledger_entries`\n',
    },
    at: [],
  },
  {
    rule: 'append-only-in-migration',
    because: 'a migration rewrites what happened',
    files: {
      'server/migrations/0001-a.sql': 'select 1;\nupdate\n  ledger_entries set amount = 1;\n',
    },
    at: ['server/migrations/0001-a.sql:2'],
  },
  {
    rule: 'append-only-in-migration',
    because: 'a new column, a right that is taken away, a comment',
    files: {
      'server/migrations/0001-a.sql':
        'alter table ledger_entries add column a text;\n' +
        'revoke update, delete on ledger_entries from public;\n' +
        '-- never update ledger_entries\n',
    },
    at: [],
  },
  {
    rule: 'open-transaction',
    because: 'a use-case and a posting take what they are given',
    files: {
      'server/src/features/quotes/a.ts': 'await deps.db.transaction(f)\n',
      'server/src/ledger/post.ts': "await client.query('begin')\n",
    },
    at: ['server/src/features/quotes/a.ts:1', 'server/src/ledger/post.ts:1'],
  },
  {
    rule: 'open-transaction',
    because: 'requests and jobs, the lane, delivery and commands open theirs',
    files: Object.fromEntries(
      [
        'infra/work/work.ts',
        'ledger/lane.ts',
        'ledger/reports/check-ledger.ts',
        'webhooks/queue/dispatch.ts',
        'operator/a.ts',
        'app/a.ts',
        'pages/a.ts',
        'features/quotes/routes.ts',
        'sandbox/clock-routes.ts',
      ].map((path) => [`server/src/${path}`, 'await deps.db.transaction(f)\n']),
    ),
    at: [],
  },
  {
    rule: 'open-transaction',
    because: 'the noun is not the verb',
    files: {
      'server/src/features/quotes/a.ts':
        "const a = wire.transaction\nconst b = 'begin with a quote'\nconst c = transaction(d)\n",
    },
    at: [],
  },
])
