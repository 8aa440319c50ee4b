/** What Node's parser does not let through to the router is answered like everything else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { rawConnection, type RawAnswer } from '../../../../test/kit/processes/raw-connection.ts'
import { ERRORS, type ErrorCode } from '../../../kernel/errors.ts'

const kit = await startOwnKit()
const HOST = 'Host: florin.example'
const TOKENS = '/2025-10-13/tokens'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

async function answersTo(text: string): Promise<RawAnswer[]> {
  const connection = await rawConnection(kit.baseUrl)
  connection.send(text)
  return connection.answers()
}

const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n\r\n`

function expectEnvelope({ status, headers, body }: RawAnswer, code: ErrorCode): void {
  const { message, details, ...rest } = JSON.parse(body) as { message: string; details?: object }
  assert.deepEqual([status, rest], [ERRORS[code].status, { status, code }])
  assert.ok(message.length > 0)
  // What the framework cannot parse is answered without a link to the reference.
  if (details) assert.deepEqual(details, { docUrl: `/docs#errors/${code}` })
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(headers.get('connection'), 'close')
}

const REFUSED: readonly [why: string, sent: string, code: ErrorCode][] = [
  ['no HTTP at all', 'hello\r\n\r\n', 'INVALID_REQUEST_FORMAT'],
  ['a space in the path', lines('GET /x y HTTP/1.1', HOST), 'INVALID_REQUEST_FORMAT'],
  [
    'a header without a name',
    lines('GET / HTTP/1.1', HOST, ': nameless'),
    'INVALID_REQUEST_FORMAT',
  ],
  [
    'two lengths',
    lines(`POST ${TOKENS} HTTP/1.1`, HOST, 'Content-Length: 1', 'Content-Length: 2'),
    'INVALID_REQUEST_FORMAT',
  ],
  ['no host', lines(`GET ${TOKENS} HTTP/1.1`, 'Connection: close'), 'INVALID_REQUEST_FORMAT'],
  [
    'a header of 17 KiB',
    lines(`GET ${TOKENS} HTTP/1.1`, HOST, `Authorization: Basic ${'x'.repeat(17 * 1024)}`),
    'PAYLOAD_TOO_LARGE',
  ],
  [
    'a path of 17 KiB',
    lines(`GET ${TOKENS}/${'x'.repeat(17 * 1024)} HTTP/1.1`, HOST),
    'PAYLOAD_TOO_LARGE',
  ],
]

for (const [why, sent, code] of REFUSED) {
  test(`ERR-1 CORE-10 ${why} is ${code} in the envelope, with a request id`, async () => {
    const [answer, ...more] = await answersTo(sent)
    assert.ok(answer)
    expectEnvelope(answer, code)
    assert.match(answer.headers.get('x-request-id') ?? '', UUID)
    assert.deepEqual(more, [])
  })
}

const AUTHORIZED = `Authorization: Basic ${btoa('nobody:nothing')}`

test('ERR-1 CORE-10 a body that breaks off in its form is answered under the id of its request', async () => {
  const { clientId, clientSecret } = await kit.platform()
  const [answer] = await answersTo(
    lines(
      `POST ${TOKENS} HTTP/1.1`,
      HOST,
      'X-Request-Id: mine',
      `Authorization: Basic ${btoa(`${clientId}:${clientSecret}`)}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      '',
      'no length of a chunk',
    ),
  )
  assert.ok(answer)
  expectEnvelope(answer, 'INVALID_REQUEST_FORMAT')
  assert.equal(answer.headers.get('x-request-id'), 'mine')
})

const BROKEN = 'no length of a chunk\r\n\r\n'
const chunked = (path: string, ...more: string[]): string =>
  lines(`POST ${path} HTTP/1.1`, HOST, 'Transfer-Encoding: chunked', ...more)

for (const [why, next] of [
  ['no HTTP at all', 'no HTTP at all\r\n\r\n'],
  ['a request whose body breaks off', `${chunked(TOKENS, AUTHORIZED)}${BROKEN}`],
] as const) {
  test(`ERR-1 nothing is put in the place of an answer that is still being made: ${why}`, async () => {
    const sound = lines(`GET ${TOKENS} HTTP/1.1`, HOST, AUTHORIZED)
    const answers = await answersTo(`${sound}${next}`)
    for (const { status } of answers) assert.equal(status, 401, 'the first request has no other')
  })
}

for (const [why, path, status] of [
  ['nobody', TOKENS, 401],
  ['no route', '/nothing', 404],
  ['no path', '/%zz', 404],
] as const) {
  test(`ERR-1 a request that was refused before its body came has no second answer: ${why}`, async () => {
    const connection = await rawConnection(kit.baseUrl)
    connection.send(chunked(path, AUTHORIZED))
    await connection.heard()
    connection.send(BROKEN)
    const answers = await connection.answers()
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [status],
    )
  })
}

test('ERR-1 an expectation that nobody knows is not looked at', async () => {
  const asked = lines(`GET ${TOKENS} HTTP/1.1`, HOST, 'Expect: a miracle', 'Connection: close')
  const [answer] = await answersTo(asked)
  assert.ok(answer)
  expectEnvelope(answer, 'UNAUTHORIZED')
})
