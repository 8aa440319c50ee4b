import { commentRules } from './comments.ts'
import { proveRules } from '../project/prove-rules.ts'

const path = 'server/src/kernel/a.ts'
// In halves, so that the rules do not find their own test.
const [unfinished, broken, ignore] = ['TO' + 'DO', 'FIX' + 'ME', '@ts-' + 'ignore']

proveRules(commentRules, [
  {
    rule: 'unfinished',
    because: 'in code, SQL and prose',
    files: {
      [path]: `const a = 1 // ${unfinished} later\n/*\n * ${broken}\n */\nconst b = 2 // ${'XX' + 'X'}\n`,
      'server/migrations/0001-a.sql': `-- ${unfinished}: index\n`,
      'docs/guides/start.md': `\n${unfinished}\n`,
    },
    at: [
      'docs/guides/start.md:2',
      'server/migrations/0001-a.sql:1',
      ...[1, 3, 5].map((line) => `${path}:${line}`),
    ],
  },
  {
    rule: 'unfinished',
    because: 'strings are data, masks are masks, and the word in small letters is a word',
    files: {
      [path]: `const a = '${unfinished}' // the todo option\n// shown as ${'XX' + 'X'}-XX-1234\nconst b = \`// ${broken}\`\n`,
    },
    at: [],
  },
  {
    rule: 'silenced-check',
    because: 'no check is switched off',
    files: { [path]: `// ${ignore}\nconst a = 1 // ${'oxlint-' + 'disable'}-line\n` },
    at: [`${path}:1`, `${path}:2`],
  },
  {
    rule: 'silenced-check',
    because: 'a test proves what a type refuses',
    files: { 'server/src/kernel/a.test.ts': '// @ts-expect-error two currencies\nadd(a, b)\n' },
    at: [],
  },
  {
    rule: 'commented-out-code',
    because: 'statements are code, wherever they end',
    files: {
      [path]: [
        "// const a = find('a')",
        '// await save(tx, row)',
        '// if (row.state === next) {',
        '// } else return fail(code)',
        '// return compute(a, b)',
        "// import { a } from '../a.ts'",
        '// row.state = next',
        '// store.save(row)',
        '// for (const a of list) {',
        '// export function f() {',
        '/* let b = 2 */',
      ].join('\n'),
      'server/migrations/0001-a.sql': '-- drop table a;\n',
    },
    at: [
      'server/migrations/0001-a.sql:1',
      ...Array.from({ length: 11 }, (_, index) => `${path}:${index + 1}`),
    ],
  },
  {
    rule: 'commented-out-code',
    because: 'prose, formulas, accounts and examples are not',
    files: {
      [path]: [
        '// Rounds half to even (see money.ts); a float would drift.',
        '// available = total - held',
        '// return early',
        '// if (and only if) the platform is regulated',
        '// ceil(amount * rate)',
        '// debit  customer   100 | credit  rail   100',
        '// export of the ledger (CSV)',
        '// Note: two cases',
        '// https://example.com/a?b=c',
        '/** Example: `const id = newId("quote")`',
        ' * const id = newId("quote")',
        ' */',
        "const a = '// const b = 1'",
        'const c = /\\/\\/ let d = 1/',
      ].join('\n'),
      'server/migrations/0001-a.sql': '-- update: one row a platform\n',
    },
    at: [],
  },
  {
    rule: 'bare-rule-id',
    because: 'an id says nothing to a reader',
    files: {
      [path]: [
        '/** RULE-3. */',
        '// RULE-3',
        '/** RULE-3, RULE-4 and RULE-5: */',
        '/**',
        ' * RULE-3 to RULE-9',
        ' */',
        '/** Chapter 11, section 6. */',
      ].join('\n'),
    },
    at: [1, 2, 3, 4, 7].map((line) => `${path}:${line}`),
  },
  {
    rule: 'bare-rule-id',
    because: 'a sentence says why, and the id follows',
    files: {
      [path]: [
        '/** A twin waits (RULE-3). */',
        "const a = 'RULE-3' // of the outside",
        '// 1 to 9',
      ].join('\n'),
    },
    at: [],
  },
])
