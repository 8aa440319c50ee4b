/** The texts that say where things are name everything that is there, and nothing else. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { FEATURE_TIERS } from '../../../tools/tidy/tiers.ts'
import { ROOT } from '../kit/pages/doc-examples.ts'

const read = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8')

async function foldersIn(path: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, path), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

test('ARCHITECTURE.md lists every feature, a lower tier never below a higher one', async () => {
  const [, table = ''] = (await read('ARCHITECTURE.md')).split('| feature | holds |')
  const rows = table.split('\n\n')[0] ?? ''
  const listed = [...rows.matchAll(/^\| (.*?) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name),
  )
  assert.deepEqual(listed.toSorted(), (await foldersIn('server/src/features')).toSorted())
  const tiers = listed.map((name) => FEATURE_TIERS.findIndex((tier) => tier.includes(name)))
  assert.deepEqual(
    tiers,
    tiers.toSorted((a, b) => a - b),
  )
})

/** The paths that a table of ARCHITECTURE.md names, from `server/src`. */
async function pathsIn(table: string): Promise<string[]> {
  const [, rest = ''] = (await read('ARCHITECTURE.md')).split(`| ${table} |`)
  const named = (rest.split('\n\n')[0] ?? '').matchAll(/`([a-z-]+\/[\w./-]+)`/g)
  return [...named].map(([, path = '']) => path)
}

test('ARCHITECTURE.md answers its questions with files that are there', async () => {
  for (const path of await pathsIn('question | answered in')) {
    await assert.doesNotReject(
      path.endsWith('/') ? readdir(join(ROOT, 'server/src', path)) : read(`server/src/${path}`),
      path,
    )
  }
})

test('ARCHITECTURE.md tells one payout in at most 35 files, which are there', async () => {
  const paths = await pathsIn('step | decided in')
  for (const path of paths) await assert.doesNotReject(read(`server/src/${path}`), path)
  assert.equal(new Set(paths).size, paths.length)
  assert.ok(paths.length > 0 && paths.length <= 35, `${paths.length} files`)
})

test('the READMEs of the source name files that are there', async () => {
  const source = 'server/src'
  const all = await readdir(join(ROOT, source), { recursive: true })
  for (const readme of all.filter((path) => basename(path) === 'README.md')) {
    const folder = dirname(readme)
    for (const [, path = ''] of (await read(`${source}/${readme}`)).matchAll(/`([\w./-]+\.ts)`/g)) {
      const isBelow = all.some((one) => one.startsWith(`${folder}/`) && one.endsWith(`/${path}`))
      const places = [join(source, folder, path), join(source, path), path]
      assert.ok(
        isBelow || places.some((place) => existsSync(join(ROOT, place))),
        `${readme}: ${path}`,
      )
    }
  }
})

test('the README’s map names every folder of the source', async () => {
  const map = (await read('README.md')).split('## The map')[1] ?? ''
  for (const name of await foldersIn('server/src')) {
    if (name === 'bin') continue
    assert.ok(map.includes(`server/src/${name}`), name)
  }
})

test('the page of the book lists every file of recipes', async () => {
  const page = await read('server/src/ledger/README.md')
  for (const name of await readdir(join(ROOT, 'server/src/ledger/recipes'))) {
    // The form of a journal, and the tests, are no movements.
    if (name === 'journal.ts' || name.endsWith('.test.ts')) continue
    assert.ok(page.includes(`| \`${name}\` |`), name)
  }
})

test('decision 0002 gives a reason for every dependency', async () => {
  const page = await read('docs/decisions/0002-dependencies.md')
  for (const path of ['package.json', 'server/package.json', 'sdk/package.json']) {
    const manifest = JSON.parse(await read(path)) as Record<string, object | undefined>
    for (const kind of ['dependencies', 'devDependencies']) {
      for (const name of Object.keys(manifest[kind] ?? {})) {
        assert.match(
          page,
          new RegExp(`^\\|.*(?<![\\w/-])${name}(?![\\w/-]).*\\|`, 'm'),
          `${path}: ${name}`,
        )
      }
    }
  }
})

test('the README leads to every guide', async () => {
  const readme = await read('README.md')
  for (const name of await readdir(join(ROOT, 'docs/guides'))) {
    assert.ok(readme.includes(`(docs/guides/${name})`), name)
  }
})
