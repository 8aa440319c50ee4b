import assert from 'node:assert/strict'
import { after } from 'node:test'
import { expectStatus } from '../api.ts'
import { eventually } from '../eventually.ts'
import type { TestPlatform } from '../florin.ts'
import { startReceiver, type Receiver } from './receiver.ts'

/** A receiver that is stopped after the file. */
export async function openReceiver(): Promise<Receiver> {
  const receiver = await startReceiver()
  after(() => receiver.stop())
  return receiver
}

/** Makes the receiver the platform's endpoint, and waits until that is known to have worked (HOOK-40). */
export async function connect(
  { api }: TestPlatform,
  receiver: Receiver,
  path = '',
): Promise<string> {
  const before = receiver.ofType('TEST').length
  const url = `${receiver.url}${path}`
  expectStatus(await api.patch('/config', { webhookEndpoint: url }), 200)
  await eventually(() => assert.ok(receiver.ofType('TEST').length > before))
  return url
}

/** Moves the platform's clock. */
export async function advance({ api }: TestPlatform, seconds: number) {
  return expectStatus(await api.post('/sandbox/clock', { advanceSeconds: seconds }), 200)
}
