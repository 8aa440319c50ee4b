import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog, type Log } from './log.ts'
import { logDestination } from './readable-log.ts'

type Setup = Readonly<{
  isTTY: boolean
  logFormat?: 'auto' | 'text' | 'json'
  production?: boolean
}>

/** What a terminal gets; nothing where the lines are JSON, which go to the process's standard output. */
function openTerminal({ isTTY, logFormat = 'auto', production = false }: Setup) {
  let shown = ''
  const terminal = { isTTY, write: (text: string | Uint8Array) => Boolean((shown += String(text))) }
  const destination = logDestination({ logFormat, production }, terminal)
  const isReadable = !('fd' in destination)
  return {
    isReadable,
    linesOf(write: (log: Log) => void): string[] {
      write(createLog({ logLevel: 'trace' }, destination))
      return shown
        .replaceAll(/^\d\d:\d\d:\d\d /gm, '')
        .trimEnd()
        .split('\n')
    },
  }
}

const REQUEST = { method: 'POST', path: '/2025-10-13/quotes', status: 201, durationMs: 14 }

test('a request is one short line in a terminal', () => {
  const { linesOf } = openTerminal({ isTTY: true })
  const write = (log: Log): void => log.info({ ...REQUEST, requestId: 'r-1' }, 'request')
  assert.deepEqual(linesOf(write), ['POST /quotes 201 14 ms'])
})

test('other entries show level, message, fields and the stack of an error', () => {
  const { linesOf } = openTerminal({ isTTY: false, logFormat: 'text' })
  const [first, second, third] = linesOf((log) => {
    log.warn({ swept: 3, platform: 'acme' }, 'removed files')
    log.error({ err: new Error('no room') }, 'job failed')
  })
  assert.equal(first, 'WARN removed files swept=3 platform=acme')
  assert.equal(second, 'ERROR job failed')
  assert.match(third ?? '', /Error: no room/)
})

test('what failed stands out by its colour, where there are colours', () => {
  const { linesOf } = openTerminal({ isTTY: true })
  const [line] = linesOf((log) => log.info({ ...REQUEST, status: 500 }, 'request'))
  assert.match(line ?? '', /\u001b\[31mPOST/)
})

test('CORE-91 a secret appears in no readable line', () => {
  const { linesOf } = openTerminal({ isTTY: true })
  const write = (log: Log): void =>
    log.info({ authorization: 'Basic dXNlcjpwYXNz', password: 'opensesame' }, 'hello')
  assert.doesNotMatch(linesOf(write).join('\n'), /dXNlcjpwYXNz|opensesame/)
})

test('CORE-82 lines are JSON in production, without a terminal and where LOG_FORMAT says so', () => {
  for (const [setup, isReadable] of [
    [{ isTTY: true }, true],
    [{ isTTY: false }, false],
    [{ isTTY: true, production: true }, false],
    [{ isTTY: true, logFormat: 'json' }, false],
    [{ isTTY: false, logFormat: 'text', production: true }, true],
  ] as const) {
    assert.equal(openTerminal(setup).isReadable, isReadable, JSON.stringify(setup))
  }
})
