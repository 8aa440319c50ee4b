import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from './log.ts'
import type { Log } from './log.ts'

const CARD = '4111111111111111'
/** Known by its name alone: it looks like nothing. */
const PASSWORD = 'opensesame'

function openLog(logLevel: 'trace' | 'info' = 'trace') {
  const lines: string[] = []
  const log = createLog({ logLevel }, { write: (line) => void lines.push(line) })
  return { log, lines }
}

function entryOf(write: (log: Log) => void): Record<string, unknown> {
  const { log, lines } = openLog()
  write(log)
  assert.equal(lines.length, 1)
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>
}

test('an entry is one JSON line with its level, an ISO time and the message', () => {
  const entry = entryOf((log) => log.warn({ requestId: 'r-1' }, 'slow'))
  assert.equal(entry['level'], 'warn')
  assert.match(String(entry['time']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(entry['requestId'], 'r-1')
  assert.equal(entry['msg'], 'slow')
  assert.equal(entry['pid'], process.pid)
})

test('LOG_LEVEL decides what is written', () => {
  const { log, lines } = openLog('info')
  log.debug('no')
  log.info('yes')
  assert.equal(lines.length, 1)
})

test('CORE-91 a secret appears in no line, whichever way it is logged', () => {
  const headers = { authorization: 'Basic dXNlcjpwYXNz' }
  const ways: Record<string, (log: Log) => void> = {
    'in a field': (log) => log.info({ clientSecret: PASSWORD }),
    'deep in a field': (log) => log.info({ request: { parts: [{ headers, pan: CARD }] } }),
    'in the message': (log) => log.info(`paid with ${CARD}`),
    'printed as text': (log) => log.info('paid with %s', CARD),
    'printed as an object': (log) =>
      log.info('sent %o and %j', { headers }, { password: PASSWORD }),
    'in an error': (log) => log.error(new Error(`paid with ${CARD}`)),
    'in an error’s cause': (log) => log.error(new Error('failed', { cause: new Error(CARD) })),
    'in an error under its own key': (log) => log.error({ err: new Error(CARD) }, 'failed'),
    'in an error under another key': (log) => log.error({ reason: new Error(CARD) }, 'failed'),
    'in a child’s fields': (log) => log.child({ headers }).info('x'),
    'in a grandchild’s fields': (log) => log.child({}).child({ password: PASSWORD }, {}).info('x'),
    'in fields set later': (log) => {
      const child = log.child({})
      child.setBindings({ password: PASSWORD })
      child.info('x')
    },
    'in a field of a child': (log) => log.child({}).info({ headers }, CARD),
    'in an array': (log) => log.info([{ headers }] as object),
    'as bytes': (log) => log.info({ upload: Buffer.from(CARD) }),
    'in an object of a class': (log) =>
      log.info(
        new (class Card {
          pan = CARD
        })(),
      ),
  }
  for (const [way, write] of Object.entries(ways)) {
    const line = JSON.stringify(entryOf(write))
    assert.ok(!line.includes(CARD), way)
    assert.ok(!line.includes(PASSWORD), way)
    assert.ok(!line.includes('dXNlcjpwYXNz'), way)
    assert.ok(!line.includes(Buffer.from(CARD).toJSON().data.join()), way)
  }
})

test('an error is logged with its message, code, stack and causes', () => {
  const cause = Object.assign(new Error('socket closed'), { code: 'ECONNRESET' })
  const entry = entryOf((log) => log.error(new Error('delivery failed', { cause })))
  assert.partialDeepStrictEqual(entry, {
    msg: 'delivery failed',
    err: {
      type: 'Error',
      message: 'delivery failed',
      cause: { message: 'socket closed', code: 'ECONNRESET' },
    },
  })
  assert.match(JSON.stringify(entry['err']), /"stack":"Error: delivery failed\\n.*log\.test\.ts/)
})

test('children keep the fields of their parents, amounts may be bigint', () => {
  const entry = entryOf((log) => log.child({ a: 1 }).child({ b: 2 }).info({ amount: 5n }, 'x'))
  assert.equal(entry['a'], 1)
  assert.equal(entry['b'], 2)
  assert.equal(entry['amount'], '5')
})
