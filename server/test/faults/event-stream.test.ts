import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFlorin } from '../../../sdk/src/index.ts'
import { createPlatform } from '../../src/operator/create-platform.ts'
import { eventually } from '../kit/eventually.ts'
import { emitEvent } from '../kit/outside/emit-event.ts'
import { openProcessKit } from '../kit/processes/process-kit.ts'

const { operator, start } = await openProcessKit()

test('HOOK-100 HOOK-101 HOOK-105 a reader misses nothing when the service is killed or stopped', async () => {
  const florin = { deps: operator.deps } as Parameters<typeof emitEvent>[0]['florin']
  const platform = await createPlatform(operator.deps, {
    name: 'Read',
    kind: 'REGULATED',
    environment: 'SANDBOX',
    currencies: ['USD'],
  })
  let service = await start()
  // The client stays while the service comes back on another port.
  const toPresent: typeof fetch = (input, init) => {
    const { pathname, search } = new URL(String(input))
    return fetch(new URL(`${pathname}${search}`, service.baseUrl), init)
  }
  const { clientId, clientSecret } = platform
  const { events } = createFlorin({
    baseUrl: service.baseUrl,
    clientId,
    clientSecret,
    fetch: toPresent,
  })
  const over = new AbortController()
  const seen: string[] = []
  const numbers: bigint[] = []
  const reading = (async () => {
    for await (const { sequence, event } of events.stream({ signal: over.signal })) {
      seen.push(event.id)
      numbers.push(BigInt(sequence))
      if (event.type === 'INVITATION.CLAIMED') return
    }
  })()
  const written: string[] = []
  // The first stream has to be open before anything is written that it must have.
  await eventually(async () => {
    await emitEvent({ florin }, platform, { type: 'BULK_UPLOAD.FAILED' })
    assert.ok(seen.length > 0)
  })
  seen.splice(0)
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    for (let n = 0; n < 5; n += 1) written.push(await emitEvent({ florin }, platform))
    const ended = service.end(signal)
    for (let n = 0; n < 5; n += 1) written.push(await emitEvent({ florin }, platform))
    await ended
    for (let n = 0; n < 5; n += 1) written.push(await emitEvent({ florin }, platform))
    service = await start()
  }
  written.push(await emitEvent({ florin }, platform, { type: 'INVITATION.CLAIMED' }))
  await reading
  assert.deepEqual(
    seen.filter((id) => written.includes(id)),
    written,
  )
  assert.equal(new Set(seen).size, seen.length)
  assert.ok(numbers.every((number, n) => n === 0 || number > (numbers[n - 1] ?? 0n)))
  over.abort()
  await service.end('SIGTERM')
})
