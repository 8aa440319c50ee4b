/** The texts hold together: every block is run or says why not, every link leads somewhere, every command exists. */
import assert from 'node:assert/strict'
import { access, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { CLIENT_COMMANDS } from '../../../cli/table.ts'
import { commands as databaseCommands, localCommands } from '../../src/operator/commands.ts'
import { COMPLETION } from '../../src/operator/command-line/completion.ts'
import { findCommand } from '../../src/operator/command-line/command-line.ts'
import { blocksOf, ROOT } from '../kit/pages/doc-examples.ts'

const commands = [...databaseCommands, ...localCommands, ...CLIENT_COMMANDS, COMPLETION]
const FRONT_PAGES = ['server/src/ledger/README.md', 'sdk/README.md', 'examples/README.md']
const inRoot = (await readdir(ROOT)).filter((name) => name.endsWith('.md'))
const inDocs = (await readdir(join(ROOT, 'docs'), { recursive: true }))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
const pages = [...inRoot, ...FRONT_PAGES, ...inDocs]

/** How a block of a language is run; what is only shown says why. */
const MARKS: Readonly<Record<string, readonly string[]>> = {
  // A drill is run by a test of its own, where the programs that it needs are installed.
  sh: ['example', 'drill', 'shown only'],
  js: ['file', 'snippet', 'shown only'],
  ts: ['file', 'snippet', 'shown only'],
  sql: ['query', 'shown only'],
}
/** What nobody could run. */
const INERT = ['', 'json', 'mermaid']

for (const path of pages) {
  test(`${path}: each block is an example that is run, or says why it is only shown`, async () => {
    const blocks = await blocksOf(path)
    for (const { language, mark, code } of blocks) {
      if (INERT.includes(language)) continue
      assert.ok(MARKS[language]?.includes(mark), `${language}, marked "${mark}":\n${code}`)
    }
    const names = blocks.filter(({ mark }) => mark !== 'shown only').map(({ name }) => name)
    const given = names.filter((name) => name !== '')
    assert.equal(new Set(given).size, given.length, 'each example has a name of its own')
  })
}

/** Where a link of a page leads, as a path of the repository; none for addresses of the web. */
const linksOf = (path: string, text: string): string[] =>
  [...text.matchAll(/\]\(([^)#\s]+)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => join(dirname(path), target))

test('every link from page to page leads somewhere', async () => {
  for (const path of pages) {
    const text = await readFile(join(ROOT, path), 'utf8')
    for (const target of linksOf(path, text)) {
      await assert.doesNotReject(access(join(ROOT, target)), `${path} links to ${target}`)
    }
  }
})

/** Commands as sentences name them: `florin jobs list --waiting`, `florin jobs list|retry [--waiting]`, `florin jobs`. */
const commandsIn = (text: string): string[][] =>
  [...text.matchAll(/`(?:npx )?florin ([a-z][^`]*)`/g)].flatMap(([, line = '']) => {
    const bare = line.replaceAll('\\|', '|').replace(/\[=[^\]]*\]|[[\]…]/g, '')
    const [group = '', verbs = '', ...args] = bare.match(/'[^']*'|\S+/g) ?? []
    return verbs.split('|').map((verb) => [group, verb, ...args].filter((word) => word !== ''))
  })

/** A chapter that runs ahead of the code names commands that are still to come. */
const runsAhead = (text: string): boolean => /^Not built yet: /m.test(text)

const isGroup = (words: readonly string[]): boolean =>
  commands.some(({ name }) => name.startsWith(`${words.join(' ')} `))

test('every command that a sentence names exists, with the options it is given', async () => {
  let seen = 0
  for (const path of pages) {
    const text = await readFile(join(ROOT, path), 'utf8')
    for (const args of runsAhead(text) ? [] : commandsIn(text)) {
      seen += 1
      const command = findCommand(commands, args)
      assert.ok(command ?? isGroup(args), `${path}: florin ${args.join(' ')}`)
      const options = [...Object.keys(command?.options ?? {}), 'json', 'help']
      for (const option of args.filter((arg) => arg.startsWith('--'))) {
        assert.ok(options.includes(option.slice(2)), `${path}: florin ${args.join(' ')}`)
      }
    }
  }
  assert.ok(seen > 20, 'sentences name commands')
})
