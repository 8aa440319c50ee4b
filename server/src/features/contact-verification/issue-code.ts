import { SANDBOX_PROOFS } from '../../crypto/wallet/sandbox-values.ts'
import { digestCode, newNumericCode } from '../../crypto/codes/one-time-code.ts'
import { addMs } from '../../kernel/clock.ts'
import { failRetryLater } from '../../kernel/errors.ts'
import { invariant } from '../../kernel/invariant.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import type { Work } from '../../infra/work/work.ts'
import { lockCustomer } from '../customers/index.ts'
import { messengerFor, type Messenger } from './messenger.ts'
import { mustBePending } from './pending-channel.ts'
import { CODE_DIGITS, CODE_LIFETIME_MS, judgeSend } from './rules.ts'
import { findChannel, saveSentCode, type ChannelKey } from './store.ts'

export type IssuedCode = Readonly<{ code: string; to: string; messenger: Messenger }>

/** The context of the digest, equal when a code is stored and when it is compared. */
export const contextOf = ({ customerId, channel }: ChannelKey): string =>
  `contact ${channel} of ${customerId}`

/**
 * Creates a code for a pending channel; any earlier code is void (CONT-2). Only its digest is stored, so the caller has
 * to send it.
 * Fails: USER_NOT_FOUND, CONFLICT, NOT_IMPLEMENTED (no way to send it), RATE_LIMITED.
 */
export async function issueCode(work: Work, key: ChannelKey): Promise<IssuedCode> {
  const { tx, platform, now, keyring } = work
  const [customer, channel] = await Promise.all([
    lockCustomer(work, key.customerId),
    findChannel(tx, platform.id, key),
  ])
  mustBePending(customer, key.channel)
  const messenger = messengerFor(work, key.channel)
  const verdict = judgeSend(channel?.sentAt ?? [], now)
  if (!verdict.ok) failRetryLater('RATE_LIMITED', verdict.retryAfterSeconds)
  const code = traitsOf(platform).hasMagicValues
    ? SANDBOX_PROOFS.contactCode
    : newNumericCode(CODE_DIGITS)
  saveSentCode(tx, platform.id, {
    ...key,
    codeDigest: digestCode(keyring, code, contextOf(key)),
    codeExpiresAt: addMs(now, CODE_LIFETIME_MS),
    sentAt: verdict.sentAt,
  })
  const to = key.channel === 'email' ? customer.email : customer.phoneNumber
  invariant(to, 'a channel that has to be verified has a value')
  return { code, to, messenger }
}
