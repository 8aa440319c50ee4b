import { fail } from '../../kernel/errors.ts'
import { AMOUNT_MAX } from '../../kernel/money/money.ts'
import { amountToWire } from '../../kernel/money/wire-money.ts'
import type { GuardedFetch } from '../../infra/outbound/ssrf.ts'
import { getText, objectIn } from './get-text.ts'

/** The range of one payment to an address, in satoshi. */
export type SendableRange = Readonly<{ min: bigint; max: bigint }>

const MILLISATS = 1_000

/**
 * Asks the provider of a Lightning address (LNURL-pay) what can be sent to it. Only whole satoshi can be.
 * Fails: LNURLP_REQUEST_FAILED, UMA_NOT_FOUND where the provider does not know it, PARSE_LNURLP_RESPONSE_ERROR.
 */
export async function askLightningAddress(
  outgoing: GuardedFetch,
  address: string,
): Promise<SendableRange> {
  const [user = '', domain = ''] = address.toLowerCase().split('@')
  const url = `https://${domain}/.well-known/lnurlp/${encodeURIComponent(user)}`
  const { status, text } = await getText(outgoing, { method: 'GET', url })
  if (status === 404) return fail('UMA_NOT_FOUND')
  if (status !== 200) return fail('LNURLP_REQUEST_FAILED')
  const answer = objectIn(text)
  // Many providers answer an unknown name with status 200 and an error.
  if (answer['status'] === 'ERROR') return fail('UMA_NOT_FOUND')
  const { tag, minSendable, maxSendable } = answer
  const isReadable = tag === 'payRequest' && isCount(minSendable) && isCount(maxSendable)
  if (!isReadable || minSendable > maxSendable) return fail('PARSE_LNURLP_RESPONSE_ERROR')
  return {
    min: BigInt(Math.ceil(minSendable / MILLISATS)),
    max: BigInt(Math.floor(Math.min(maxSendable / MILLISATS, amountToWire(AMOUNT_MAX)))),
  }
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) > 0
