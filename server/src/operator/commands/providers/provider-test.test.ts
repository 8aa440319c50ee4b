import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { callFlorin, type CommandRun } from '../../../../test/kit/operator.ts'
import { serveHttp } from '../../../../test/kit/outside/loopback-server.ts'
import { startSandboxProvider } from '../../../../test/kit/outside/sandbox-provider.ts'
import { CASES } from '../../../providers/conformance/cases.ts'
import { newSecret } from '../../../providers/http/sign-message.ts'

const ROOT = join(import.meta.dirname, '../../../../..')

/** Without a database: the command needs none. */
const florin = (...args: string[]): Promise<CommandRun> =>
  callFlorin({ args: ['providers', 'test', ...args], env: {}, cwd: ROOT })

type Started = Awaited<ReturnType<typeof startSandboxProvider>>

const against = ({ url, secrets }: Started, ...args: string[]): Promise<CommandRun> =>
  florin(url, ...secrets.flatMap((secret) => ['--secret', secret]), ...args)

const linesLike = ({ stdout }: CommandRun, word: string): string[] =>
  stdout.split('\n').filter((line) => new RegExp(`^C\\d+ +${word} `).test(line))

const idsOf = (lines: readonly string[]): string[] => lines.map((line) => line.split(' ')[0] ?? '')

test('PROV-150 the cases are data that the command lists and the reference documents', async () => {
  const { status, stdout } = await florin('--list', '--json')
  assert.equal(status, 0)
  const listed = JSON.parse(stdout) as { case: string; sent: string }[]
  assert.deepEqual(
    listed.map((one) => one.case),
    Array.from({ length: 30 }, (_, index) => `C${index + 1}`),
  )
  const page = await readFile(join(ROOT, 'docs/reference/provider-protocol.md'), 'utf8')
  for (const { id, title } of CASES) assert.ok(page.includes(`| ${id} | ${title} |`), id)
})

test('PROV-150 where nothing listens that is said once, and no case is played', async () => {
  const run = await florin('http://127.0.0.1:1', '--secret', newSecret())
  assert.equal(run.status, 1)
  assert.equal(run.stdout, '')
  assert.match(run.stderr, /No provider answers at http:\S+: ECONNREFUSED\. Start it first\./)
})

test('PROV-152 the built-in sandbox passes the cases of rails through HTTP', async () => {
  const run = await against(await startSandboxProvider())
  assert.deepEqual(linesLike(run, 'fail'), [])
  assert.equal(run.status, 0, run.stderr)
  // It returns no part of a payment, and has no other port.
  const skipped = ['C8', 'C26', 'C27', 'C28', 'C29', 'C30']
  assert.deepEqual(idsOf(linesLike(run, 'skip')), skipped)
  assert.equal(linesLike(run, 'pass').length, CASES.length - skipped.length)
})

test('PROV-151 a provider that forgets orders fails C2 and C3, and the exit status is 1', async () => {
  const forgetful = await startSandboxProvider({ isForgetful: true })
  const run = await against(forgetful, '--case', 'C1', '--case', 'C2', '--case', 'c3')
  assert.equal(run.status, 1)
  assert.deepEqual(idsOf(linesLike(run, 'pass')), ['C1'])
  assert.deepEqual(idsOf(linesLike(run, 'fail')), ['C2', 'C3'])
  assert.match(run.stdout, /C2 {3}fail {2}duplicate: expected one reference in five answers, seen:/)
  assert.match(run.stdout, /1 passed, 2 failed, 0 skipped\n$/)
})

test('PROV-150 a provider that takes any signature fails each case about signatures', async () => {
  const cases = ['C14', 'C15', 'C16', 'C17', 'C18']
  const trusting = await startSandboxProvider({ isTrusting: true })
  const run = await against(trusting, ...cases.flatMap((id) => ['--case', id]), '--json')
  assert.equal(run.status, 1)
  const { ok, failed } = JSON.parse(run.stdout) as { ok: boolean; failed: number }
  assert.deepEqual({ ok, failed }, { ok: false, failed: cases.length })
})

test('PROV-54 every order is a test order, and a provider may refuse to play it', async () => {
  const bodies: string[] = []
  const { url } = await serveHttp((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      if (body !== '') bodies.push(body)
      const answer = { state: 'REFUSED', reason: 'TEST_NOT_SUPPORTED' }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  const run = await florin(url, '--secret', newSecret(), '--ports', 'rails', '--case', 'C1')
  assert.deepEqual(idsOf(linesLike(run, 'skip')), ['C1'])
  assert.equal(run.status, 1, 'nothing has passed')
  assert.ok(bodies.length > 0)
  for (const body of bodies) assert.equal((JSON.parse(body) as { test: unknown }).test, true)
})

test('PROV-150 what is asked for wrongly is explained', async () => {
  const url = 'http://127.0.0.1:9'
  for (const [args, words] of [
    [[], /Give one url/],
    [[url], /Missing: --secret/],
    [[url, '--secret', 'whatever'], /whsec_/],
    [[url, '--secret', newSecret(), '--ports', 'rails,ships'], /--ports are some of/],
    [[url, '--secret', newSecret(), '--case', 'C31'], /--case is one of/],
    [['ftp://host', '--secret', newSecret()], /http or https/],
  ] as const) {
    const { status, stderr } = await florin(...args)
    assert.equal(status, 1)
    assert.match(stderr, words)
  }
})
