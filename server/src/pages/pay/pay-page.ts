/** The page behind the `paymentUrl` of a sandbox account: the visitor plays the sender (chapter 30, section 6). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../kernel/errors.ts'
import { asId, formatId, isUuid, newId, type Id } from '../../kernel/ids.ts'
import type { Platform } from '../../kernel/platform.ts'
import { audit } from '../../infra/work/audit.ts'
import { requestIds, type RequestIds } from '../../infra/work/request-ids.ts'
import { findPlatform } from '../../infra/platforms.ts'
import { commandInWork } from '../../ledger/command-in-work.ts'
import { findLinkOwner } from '../../features/deposits/index.ts'
import {
  findAccount,
  lockAccount,
  type InternalAccount,
} from '../../features/internal-accounts/index.ts'
import {
  deposit,
  findTransaction,
  type ListedTransaction,
} from '../../features/transactions/index.ts'
import { findBrand } from '../branding/brand.ts'
import { backTo, sendPage, type HostedPage } from '../hosted-page.ts'
import { amountExamples, amountOf, numberText } from '../language/format.ts'
import { localeOf, type Locale } from '../language/locale.ts'
import type { PageHost } from '../page-host.ts'
import { askingView, closedView, paidView, paymentLinkNotFound, type PayView } from './pay-view.ts'

/** The limit of the sandbox's funding operation (IACC-13). */
const AMOUNT_MAX = 100_000_000_000n
const BODY_BYTES_MAX = 4096
/** The form of an account's reference (IACC-10). Other paths are not looked up, since they may hold any character. */
const REFERENCE = /^FUND-[A-HJ-NP-Z2-9]{8}$/

export function registerPayPage(http: FastifyInstance, host: PageHost): void {
  void http.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    scope.get('/pay/:reference', async (request, reply) =>
      sendPage(reply, await pageOf(host, request)),
    )
    scope.post('/pay/:reference', async (request, reply) => {
      const answer = await pay(host, request)
      if (typeof answer === 'string') return backTo(reply, answer)
      // The form is sent to the address of its page.
      return sendPage(reply, { ...answer, self: encodeURIComponent(referenceOf(request)) })
    })
  })
}

type Opened = Readonly<{ platform: Platform; account: InternalAccount; view: PayView }>

const referenceOf = ({ params }: FastifyRequest): string =>
  (params as { reference: string }).reference

/** The account of a link that the sandbox made. A bank has its own page. */
async function open(
  host: PageHost,
  reference: string,
  locale: Locale,
): Promise<Opened | undefined> {
  if (!REFERENCE.test(reference)) return undefined
  const { db, settings, providers } = host.deps
  const owner = await findLinkOwner(db.read, reference)
  if (!owner) return undefined
  const [platform, account] = await Promise.all([
    findPlatform(db.read, owner.platformId),
    findAccount(db.read, owner.platformId, owner.id),
  ])
  if (!platform || !account) return undefined
  const { currency } = account
  const bank = providers.portsOf(platform).providerOf({ port: 'deposits', currency })
  if (bank?.kind !== 'sandbox') return undefined
  const holder = account.fundingInstructions[0]?.accountOrWalletInfo['accountHolderName']
  const view = {
    locale,
    reference,
    holder: typeof holder === 'string' ? holder : '',
    brand: await findBrand(host, platform),
    serviceName: settings.legalName,
    currency: account.currency,
  }
  return { platform, account, view }
}

async function pageOf(host: PageHost, request: FastifyRequest): Promise<HostedPage> {
  const locale = localeOf(request)
  const opened = await open(host, referenceOf(request), locale)
  if (!opened) return paymentLinkNotFound(locale)
  const { view, account } = opened
  const { paid } = request.query as { paid?: unknown }
  const receipt = typeof paid === 'string' ? await findPaid(host, opened, paid) : undefined
  if (receipt) return paidView(view, receipt)
  if (account.status !== 'ACTIVE') return closedView(view)
  return askingView(view, { paymentId: newId('transaction') })
}

/** The deposit of a payment on this page; undefined for any other. */
async function findPaid({ deps }: PageHost, { platform, account }: Opened, id: string) {
  if (!isUuid(id)) return undefined
  return receivedBy(account, await findTransaction(deps.db.read, platform.id, id))
}

function receivedBy({ id }: InternalAccount, found: ListedTransaction | undefined) {
  if (found?.type !== 'INCOMING' || !('accountId' in found.destination)) return undefined
  const isHere = found.destination.accountId === formatId('internalAccount', id)
  return isHere ? found.received : undefined
}

/** The next page: the receipt's address after a payment, the form again after a refusal. */
async function pay(host: PageHost, request: FastifyRequest): Promise<HostedPage | string> {
  const reference = referenceOf(request)
  const locale = localeOf(request)
  const opened = await open(host, reference, locale)
  if (!opened) return paymentLinkNotFound(locale)
  const { view, account } = opened
  if (account.status !== 'ACTIVE') return closedView(view)
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
  const typed = form.get('amount') ?? ''
  const given = form.get('payment') ?? ''
  const id = isUuid(given) ? asId('transaction', given) : newId('transaction')
  const refuse = (because: string): HostedPage =>
    askingView(view, { paymentId: id, refused: { typed, because } })
  const { language, say } = locale
  const amount = amountOf(language, typed, view.currency)
  if (amount === undefined) return refuse(say('pay.form', amountExamples(language)))
  if (amount < 1n || amount > AMOUNT_MAX) {
    return refuse(say('pay.bounds', { max: numberText(language, AMOUNT_MAX / 100n) }))
  }
  const paid = await credit(host, opened, { id, amount, ids: requestIds(request) })
  if (paid === undefined) return refuse(say('pay.refused'))
  return locale.keep(`${encodeURIComponent(reference)}?paid=${paid}`)
}

/**
 * The id of the payment, which is made once however often the form is sent. The visitor sends the id, so one that
 * another deposit has is refused. Undefined where the account refuses the payment.
 */
async function credit(
  host: PageHost,
  { platform, account }: Opened,
  { id, amount, ids }: Readonly<{ id: Id<'transaction'>; amount: bigint; ids: RequestIds }>,
): Promise<Id<'transaction'> | undefined> {
  const resource = formatId('internalAccount', account.id)
  const actor = { kind: 'page', name: 'pay', subjectId: resource } as const
  try {
    return await host.inWork({ platform, actor, ...ids }, async (work) => {
      // The same form may be sent twice; the second request finds the payment under the lock.
      await lockAccount(work.tx, platform.id, account.id)
      const known = await findTransaction(work.tx, platform.id, id)
      if (receivedBy(account, known)) return id
      const transactionId = known ? newId('transaction') : id
      const input = { accountId: account.id, amount, transactionId }
      await commandInWork(work, deposit, { action: 'pay', input })
      audit(work, { action: 'pay', resource })
      return transactionId
    })
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
