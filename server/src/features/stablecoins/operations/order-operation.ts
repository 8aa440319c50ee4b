import { fail } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Outside } from '../../../infra/http/operation.ts'
import { lockKeyForShare } from '../../../infra/work/idempotency.ts'
import type { StablecoinIssuer, StartedOrder } from '../../../providers/stablecoin-issuer.ts'
import { askIssuer, issuerOf, type IssuerFor } from '../issuer/issuer.ts'
import type { OrderedOperation } from './begin-operation.ts'
import { toIssuerAccount } from './sources.ts'
import { prepareOperation, type OrderRequest, type PreparedOperation } from './prepare-operation.ts'
import { openCredentials } from '../links/provider-link.ts'

/**
 * Stores a mint or burn, then orders it from the provider under a key that is the same for every repetition (STBL-19).
 * Fails: IDEMPOTENCY_KEY_IN_USE, as prepareOperation does, SERVICE_UNAVAILABLE; then the stored operation stays for the
 * next try.
 */
export async function orderOperation(
  {
    deps,
    platform,
    keyed,
    inWork: inPreparation,
  }: Pick<Outside, 'deps' | 'platform' | 'keyed' | 'inWork'>,
  request: Readonly<{ stablecoinId: Id<'stablecoin'>; order: OrderRequest }>,
  issuerFor: IssuerFor = issuerOf,
): Promise<OrderedOperation> {
  invariant(keyed, 'A mint or burn has an idempotency key.')
  const { key, fingerprint } = keyed
  const prepared = await inPreparation(async (work) => {
    // While another request holds the key, its order would reach the provider without an answer to the caller. An answer
    // that was stored meanwhile is replayed where the key is claimed.
    if (await lockKeyForShare(work.tx, keyed, work)) fail('IDEMPOTENCY_KEY_IN_USE')
    return prepareOperation(work, { ...request, key, fingerprint })
  })
  if (prepared.status !== 'CREATED') return { id: prepared.id, started: undefined }
  const credentials = openCredentials(deps.keyring, prepared.link)
  const issuer = issuerFor(deps, platform, prepared.link)
  const started = await askIssuer(start(issuer, { ...prepared, credentials }))
  return { id: prepared.id, started }
}

const issuerKeyOf = (id: Id<'stablecoinOperation'>): string => `florin-${id}`

function start(
  issuer: StablecoinIssuer,
  prepared: PreparedOperation & Readonly<{ credentials: ReturnType<typeof openCredentials> }>,
): Promise<StartedOrder> {
  const { order, coin, link, bankAccount, wallet } = prepared
  const common = {
    credentials: prepared.credentials,
    providerAccountId: link.providerAccountId,
    operationId: prepared.id,
    idempotencyKey: issuerKeyOf(prepared.id),
    providerTokenIdentifier: coin.providerTokenIdentifier,
    amount: prepared.amount,
    description: order.description ?? undefined,
  }
  const account = bankAccount && toIssuerAccount(bankAccount)
  switch (order.sourceType) {
    case 'EXTERNAL_ACCOUNT':
    case 'PROVIDER_INTERNAL_BALANCE':
      invariant(account && order.destinationRail, 'A burn pays a bank account by a rail.')
      return issuer.startBurn({
        ...common,
        from: order.sourceType,
        rail: order.destinationRail,
        account,
      })
    case 'WIRE':
      return issuer.startMint({ ...common, fundedBy: { type: 'WIRE' }, address: addressOf(wallet) })
    case 'ACH_DEBIT':
    case 'SAME_DAY_ACH_DEBIT':
      invariant(account, 'A debit has an account to take from.')
      return issuer.startMint({
        ...common,
        fundedBy: { type: order.sourceType, account },
        address: addressOf(wallet),
      })
  }
}

function addressOf(wallet: PreparedOperation['wallet']): string {
  const address = wallet?.accountInfo['address']
  invariant(typeof address === 'string', 'A mint goes to a wallet, which has an address.')
  return address
}
