import type { Florin } from '../../sdk/src/index.ts'

/** What codes of every kind are in the sandbox. */
const CODE = '123456'
const END_USER = { endUserIpAddress: '203.0.113.7' }

/** Opens a session of the customer by a message to its phone. */
export async function logIn(florin: Florin, customerId: string): Promise<void> {
  const factor = 'SMS_OTP'
  const { challengeId } = await florin.sca.login.start({ customerId }, { factor })
  const proof = { factor, challengeId: challengeId ?? null, code: CODE, ...END_USER } as const
  await florin.sca.login.complete({ customerId }, proof)
}

/** Gives the customer an authenticator app as a second factor beside its phone. */
export async function enrolApp(florin: Florin, customerId: string): Promise<void> {
  await logIn(florin, customerId)
  const started = await florin.sca.factors.enroll({ customerId }, { type: 'TOTP' })
  if (started.type !== 'TOTP') return
  const { secret } = started
  await florin.sca.factors.confirm({ customerId }, { type: 'TOTP', secret, code: CODE })
}

/** The customer proves a payment that waits for it. */
export const prove = (florin: Florin, quoteId: string) =>
  florin.quotes.authorize(quoteId, { code: CODE, ...END_USER })
