import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { before, test, type TestContext } from 'node:test'
import { checkRegexes, recordRegexes, SAFE_REGEXES } from './safe-regexes.ts'

const CODE = 'server/src/a.ts'

before(() => {
  // The checker as JavaScript: a Java machine takes seconds to start.
  process.env.RECHECK_BACKEND = 'pure'
})

/** A repository with these expressions, whose record is as `npm run generate` makes it. */
async function repositoryWith(t: TestContext, ...literals: readonly string[]) {
  const root = await mkdtemp(join(tmpdir(), 'florin-regexes-'))
  t.after(() => rm(root, { recursive: true }))
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(join(root, dirname(path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const use = (...used: readonly string[]): Promise<void> =>
    write(CODE, used.map((literal) => `f(${literal})\n`).join(''))
  const read = (): Promise<string> => readFile(join(root, SAFE_REGEXES), 'utf8')
  const record = async (): Promise<void> => write(SAFE_REGEXES, await recordRegexes(root, {}))
  const problems = async (accepted: Readonly<Record<string, string>> = {}) =>
    (await checkRegexes(root, accepted)).problems
  await write(SAFE_REGEXES, '')
  await use(...literals)
  await record()
  return { write, use, read, record, problems }
}

test('what is recorded passes, and the record is sorted', async (t) => {
  const repository = await repositoryWith(t, '/^b$/u', '/^a{2}$/')
  const lines = (await repository.read()).split('\n')
  assert.deepEqual(lines.slice(1), ['/^a{2}$/', '/^b$/u', ''])
  assert.deepEqual(await repository.problems(), [])
})

test('what is safe and not recorded fails until it is', async (t) => {
  const repository = await repositoryWith(t, '/^a$/')
  await repository.use('/^a$/', '/^b$/')
  assert.deepEqual(await repository.problems(), [
    'server/src/a.ts:2  /^b$/  is safe: run npm run generate',
  ])
  await repository.record()
  assert.deepEqual(await repository.problems(), [])
})

test('what is dangerous fails and is never recorded, unless it is accepted', async (t) => {
  const repository = await repositoryWith(t, '/^(a+)+$/')
  assert.deepEqual(await repository.problems(), ['server/src/a.ts:1  /^(a+)+$/  exponential time'])
  assert.deepEqual(await repository.problems({ '/^(a+)+$/': 'why' }), [])
})

test('what is recorded or accepted and used nowhere fails', async (t) => {
  const repository = await repositoryWith(t, '/^a$/', '/^b$/')
  await repository.use('/^a$/')
  assert.deepEqual(await repository.problems({ '/c/': 'why' }), [
    'tools/regexes/safe-regexes.txt  /^b$/  is used nowhere: run npm run generate',
    'tools/regexes/accepted-regexes.ts  /c/  is used nowhere',
  ])
})

test('what another version or other settings recorded is proven again', async (t) => {
  const repository = await repositoryWith(t, '/^a$/')
  const current = await repository.read()
  await repository.use('/^a$/', '/^(a+)+$/')
  const old = current.replace(/^recheck \S+/, 'recheck 0.0.1')
  await repository.write(SAFE_REGEXES, `${old}/^(a+)+$/\n`)
  const [first, ...others] = await repository.problems()
  assert.match(first ?? '', /^tools\/regexes\/safe-regexes\.txt {2}was not made by recheck \d/)
  assert.deepEqual(others, ['server/src/a.ts:2  /^(a+)+$/  exponential time'])
  await repository.record()
  assert.equal(await repository.read(), current)
})
