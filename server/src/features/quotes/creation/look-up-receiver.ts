import { ApiError, fail } from '../../../kernel/errors.ts'
import { parseId, type Id } from '../../../kernel/ids.ts'
import { platformTime } from '../../../kernel/platform.ts'
import type { Outside } from '../../../infra/http/operation.ts'
import { findAccount } from '../../internal-accounts/index.ts'
import { findExternalAccount } from '../../external-accounts/index.ts'
import {
  askRemoteFor,
  mustFindLookup,
  readingOf,
  resolveReceiver,
  sendingProviderOf,
  umaNetworkOf,
  type QuoteReceiver,
} from '../../receivers/index.ts'
import { formatUmaAddress, isInvoiceTaken, parseUmaAddress } from '../../uma/index.ts'
import { buildQuote } from './build-quote.ts'
import { commandOf } from './command.ts'
import { loadQuoteContexts } from './context.ts'
import type { QuoteRequest } from '../record/schema.ts'
import { millisatsFor, type UmaLookup, type UmaTarget } from './uma-target.ts'

type LookUpRequest = Readonly<{ body: QuoteRequest }> &
  Pick<Outside, 'deps' | 'platform' | 'actor' | 'isAnswered'>

/**
 * Runs before the transaction of a quote: resolves its UMA address, here or at another provider, and the look-up that
 * it names. A provider elsewhere is asked for an invoice over the quote's amount. A refusal is returned, so that the
 * quote is refused with it. Undefined where there is nothing to resolve, or the idempotency key has an answer already.
 */
export async function lookUpReceiver(asking: LookUpRequest): Promise<UmaLookup | undefined> {
  const { destination, lookupId } = asking.body
  if (destination.destinationType === 'ACCOUNT' && lookupId === undefined) return undefined
  try {
    // A repeated request gets its stored answer, so the receiver is not asked again (CORE-41).
    return (await asking.isAnswered()) ? undefined : await findTarget(asking)
  } catch (error) {
    if (error instanceof ApiError) return { refusal: error }
    throw error
  }
}

async function findTarget(asking: LookUpRequest): Promise<UmaLookup> {
  const { body, deps, platform } = asking
  const reading = readingOf(deps, platform)
  const { destination, lookupId } = body
  const lookup = await mustFindLookup(reading, { lookupId, receiver: receiverOf(body) })
  if (destination.destinationType === 'ACCOUNT') return {}
  const { umaAddress, currency } = destination
  const wanted = {
    umaAddress,
    currency,
    payerId: await payerIdOf(asking),
    senderCustomerInfo: body.senderCustomerInfo ?? {},
  }
  const target = await resolveReceiver(reading, wanted, askRemoteFor(deps, platform, lookup))
  return { target: target.remote ? await agreeWithRemote(asking, target) : target }
}

/** As a look-up stores its receiver: an address in lower case. */
function receiverOf({ destination }: QuoteRequest): string {
  if ('accountId' in destination) return destination.accountId
  const address = parseUmaAddress(destination.umaAddress)
  return address ? formatUmaAddress(address) : destination.umaAddress
}

/** The customer who pays: the one named in the source, or else the owner of the account. */
async function payerIdOf({
  body,
  deps,
  platform,
}: LookUpRequest): Promise<Id<'customer'> | undefined> {
  const { source } = body
  if (source.customerId !== undefined) return parseId('customer', source.customerId)
  if (source.sourceType !== 'ACCOUNT') return undefined
  const { read: tx } = deps.db
  const internal = parseId('internalAccount', source.accountId)
  if (internal) return (await findAccount(tx, platform.id, internal))?.customerId ?? undefined
  const external = parseId('externalAccount', source.accountId)
  const account =
    external && (await findExternalAccount({ tx, platform, keyring: deps.keyring }, external))
  return account?.customerId ?? undefined
}

/**
 * Builds the quote without storing it, for the amount of the invoice, and to refuse before a provider gets data of a
 * payer for whom the agent does not act (ACT-7).
 */
async function agreeWithRemote(
  { body, deps, platform, actor }: LookUpRequest,
  target: QuoteReceiver,
): Promise<UmaTarget> {
  const { settings, keyring } = deps
  const command = commandOf(body, { actor, settings, found: () => ({ target }) })
  const now = platformTime(platform, deps.clock.now())
  const ports = deps.providers.portsOf(platform)
  const requested = { requestId: command.id, action: 'lookUpReceiver' }
  const caller = { platform, actor, now, ports, settings, keyring, ...requested }
  const [context] = await loadQuoteContexts(deps.db.read, [{ ...caller, input: command }])
  if (!context) return fail('QUOTE_REQUEST_FAILED')
  const { payment } = buildQuote(caller, command, context)
  const amount = payment.transaction.received?.amount ?? 0n
  const sender = await sendingProviderOf(deps, platform)
  const agreed = await umaNetworkOf(deps, platform).requestInvoice({
    sender,
    receiverAddress: target.umaAddress,
    answer: target.remote?.answer,
    payerAddress: target.payerAddress ?? sender.address,
    isPayerVerified: true,
    payerData: target.payerData,
    amount,
    currency: target.currency,
    millisatsMax: millisatsFor(target, amount),
  })
  if (await isInvoiceTaken(deps.db.read, agreed)) fail('INVALID_PAYREQ_RESPONSE')
  return { ...target, agreed: { ...agreed, amount } }
}
