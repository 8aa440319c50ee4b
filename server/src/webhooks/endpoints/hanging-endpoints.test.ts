import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { expectError, expectStatus, text } from '../../../test/kit/api.ts'
import { advance, connect, openReceiver } from '../../../test/kit/outside/connect-receiver.ts'
import { emitEvent, emitEvents } from '../../../test/kit/outside/emit-event.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { impatientOutgoing } from '../../../test/kit/outside/impatient-outgoing.ts'
import type { Receiver } from '../../../test/kit/outside/receiver.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { lockTurns } from '../queue/turns.ts'

const PATIENCE_MS = 400
/** Enough for a busy machine to do something while a call hangs. */
const LONG_PATIENCE_MS = 3_000
/** Longer than anything here waits. */
const ENDLESS_MS = 30_000
const { outgoing, requests, wait } = impatientOutgoing(ENDLESS_MS)
const kit = await startOwnKit({}, { outgoing })
// Only a call that hangs is waited for impatiently: a busy machine may be slow to answer a call.
beforeEach(() => wait(ENDLESS_MS))

function hang(receiver: Receiver): void {
  receiver.answerWith(() => undefined)
  wait(PATIENCE_MS)
}

const attemptsOf = async ({ api }: TestPlatform, id: string) =>
  expectStatus(await api.get(`/events/${id}`), 200).attempts

test('HOOK-8 HOOK-11 no answer in time is a failed attempt; the time is 30 s', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  hang(receiver)
  const id = await emitEvent(kit, platform)
  const [attempt] = await eventually(async () => {
    const attempts = await attemptsOf(platform, id)
    assert.equal(attempts.length, 1)
    return attempts
  })
  assert.match(text(attempt?.error), /^timeout: /)
  assert.ok((attempt?.durationMs as unknown as number) >= PATIENCE_MS - 50)
  const request = requests.find(({ url }) => url === receiver.url)
  assert.equal(request?.timeoutMs, 30_000)
  assert.equal(request.bodyBytesMax, 64 * 1024)
})

test('HOOK-41 a test webhook without answer is an error', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  const url = await connect(platform, receiver)
  hang(receiver)
  const answer = await platform.api.post('/sandbox/webhooks/test')
  assert.equal(expectError(answer, 400, 'WEBHOOK_DELIVERY_ERROR')['url'], url)
})

test('HOOK-30 a receiver that hangs holds a jump up once, whatever the event', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  receiver.answer(500)
  const ids = [await emitEvent(kit, platform), await emitEvent(kit, platform)]
  await eventually(async () => {
    for (const id of ids) assert.equal((await attemptsOf(platform, id)).length, 1)
  })
  hang(receiver)
  const before = receiver.types().length
  await advance(platform, 700)
  assert.equal(receiver.types().length, before + 1)
  const errors = []
  for (const id of ids) {
    const [, ...later] = await attemptsOf(platform, id)
    assert.equal(later.length, 6)
    errors.push(...later.map((attempt) => text(attempt.error).split(':')[0]))
  }
  assert.deepEqual(errors.filter((error) => error === 'timeout').length, 1)
  assert.deepEqual(errors.filter((error) => error === 'not-sent').length, 11)

  await advance(platform, 1_300)
  assert.equal(receiver.types().length, before + 2, 'the next jump tries once more')
})

test('HOOK-30 an attempt that hung as the jump began counts as well', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  hang(receiver)
  wait(LONG_PATIENCE_MS)
  const id = await emitEvent(kit, platform)
  await eventually(() => assert.equal(receiver.types().length, 1))
  wait(PATIENCE_MS)
  await advance(platform, 60)
  assert.equal(receiver.types().length, 1)
  const errors = (await attemptsOf(platform, id)).map((attempt) => text(attempt.error))
  assert.equal(errors.length, 3)
  assert.match(errors[0] ?? '', /^timeout: /)
  assert.match(errors[2] ?? '', /^not-sent: /)
})

test('HOOK-30 another endpoint, set in the middle, is called', async () => {
  const platform = await kit.platform()
  const [hanging, other] = [await openReceiver(), await openReceiver()]
  await connect(platform, hanging)
  hang(hanging)
  const id = await emitEvent(kit, platform)
  await eventually(async () => assert.equal((await attemptsOf(platform, id)).length, 1))
  wait(LONG_PATIENCE_MS)
  const moving = advance(platform, 600)
  await eventually(() => assert.equal(hanging.types().length, 2))
  wait(ENDLESS_MS)
  await connect(platform, other)
  await moving
  assert.deepEqual(other.types(), ['CARD.STATE_CHANGE'])
})

test('HOOK-14 HOOK-7 many endpoints that hang, found due all at once, delay no other platform', async () => {
  const receiver = await openReceiver()
  const hanging = await openReceiver()
  const platform = await kit.platform()
  await connect(platform, receiver)
  const others = await Promise.all(Array.from({ length: 20 }, () => kit.platform()))
  for (const [n, other] of others.entries()) await connect(other, hanging, `/${n}`)
  hang(hanging)
  wait(ENDLESS_MS)
  const backlog = Array.from({ length: 16 }, () => ({}))
  await kit.florin.deps.db.transaction(async (tx) => {
    const ids = others.map(({ platformId }) => mustParseId('platform', platformId))
    await tx.run(lockTurns(ids))
    await Promise.all(others.map((other) => emitEvents(kit, other, backlog)))
  })
  await eventually(() => assert.ok(hanging.types().length >= 100))
  const sentAt = performance.now()
  await emitEvent(kit, platform)
  await eventually(() => assert.equal(receiver.types().length, 1))
  assert.ok(performance.now() - sentAt < 5_000)
  wait(PATIENCE_MS)
})
