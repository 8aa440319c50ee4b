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

type Asking = Readonly<{ body: QuoteRequest }> &
  Pick<Outside, 'deps' | 'platform' | 'actor' | 'isAnswered'>

/**
 * Before a quote is decided: finds the receiver behind its UMA address, wherever that is, and the look-up it refers to.
 * A provider elsewhere is asked for its invoice, for the price that the quote would have. What it refuses is kept for
 * the quote to refuse with. Undefined where there is nothing to look for, or where the answer is known by its key.
 */
export async function lookUpReceiver(asking: Asking): Promise<UmaLookup | undefined> {
  const { destination, lookupId } = asking.body
  if (destination.destinationType === 'ACCOUNT' && lookupId === undefined) return undefined
  try {
    // CORE-41: what was answered is answered again, whatever the receiver would say by now.
    return (await asking.isAnswered()) ? undefined : await findTarget(asking)
  } catch (error) {
    if (error instanceof ApiError) return { refusal: error }
    throw error
  }
}

async function findTarget(asking: Asking): Promise<UmaLookup> {
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

/** As a look-up names it: in lower case, if it is an address. */
function receiverOf({ destination }: QuoteRequest): string {
  if ('accountId' in destination) return destination.accountId
  const address = parseUmaAddress(destination.umaAddress)
  return address ? formatUmaAddress(address) : destination.umaAddress
}

/** On whose behalf the money leaves: the customer that is named, or the owner of the account. */
async function payerIdOf({ body, deps, platform }: Asking): Promise<Id<'customer'> | undefined> {
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
 * Builds the quote once without keeping it, to know what the receiver would get and whether the caller may have it at
 * all: no provider hears of a payer whom an agent does not act for (ACT-7).
 */
async function agreeWithRemote(
  { body, deps, platform, actor }: Asking,
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
