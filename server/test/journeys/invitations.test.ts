/** Chapter 10, section 8: the acceptance scenarios of invitations, seen by two platforms and a webhook receiver. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyWebhook } from '../kit/outside/verify-webhook.ts'
import { expectError, expectStatus } from '../kit/api.ts'
import { advance, connect, openReceiver } from '../kit/outside/connect-receiver.ts'
import { createCustomer } from '../kit/customers.ts'
import { eventually } from '../kit/eventually.ts'
import { startKit } from '../kit/florin.ts'
import { createInvitation, inSeconds, readInvitation } from '../kit/onboarding/invitations.ts'

const kit = await startKit()

test('scenario 18: an invitation is claimed at another platform, and the inviting one is told', async () => {
  const [a, b] = [await kit.platform({ name: 'A' }), await kit.platform({ name: 'B' })]
  const receiver = await openReceiver()
  await connect(a, receiver)
  const made = await createInvitation(a, { amountToSend: 5000 })
  assert.deepEqual(await readInvitation(b, made), made)
  const inviteeUma = (await createCustomer(b)).umaAddress
  const path = `/invitations/${made.code}` as const
  const claimed = expectStatus(await b.api.post(`${path}/claim`, { inviteeUma }), 200)
  assert.equal(claimed.status, 'CLAIMED')
  await eventually(() => assert.equal(receiver.ofType('INVITATION.CLAIMED').length, 1))
  const [delivery] = receiver.ofType('INVITATION.CLAIMED')
  assert.deepEqual(delivery?.event.data, claimed)
  const signature = String(delivery.headers['x-service-signature'])
  assert.ok(verifyWebhook(a.webhookPublicKey, signature, delivery.raw ?? Buffer.alloc(0)))
  expectError(await b.api.post(`${path}/cancel`), 403, 'FORBIDDEN')
  expectError(await a.api.post(`${path}/cancel`), 400, 'INVITATION_ALREADY_CLAIMED')
})

test('scenario 19: an invitation expires on the platform’s clock', async () => {
  const p = await kit.platform()
  const made = await createInvitation(p, { expiresAt: inSeconds(3600) })
  await advance(p, 3601)
  assert.equal((await readInvitation(p, made)).status, 'EXPIRED')
  const inviteeUma = (await createCustomer(p)).umaAddress
  const late = await p.api.post(`/invitations/${made.code}/claim`, { inviteeUma })
  assert.equal(expectError(late, 400, 'INVALID_INPUT')['reason'], 'INVITATION_EXPIRED')
})
