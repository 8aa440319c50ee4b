import assert from 'node:assert/strict'
import { setAccountStatus } from '../../../src/features/external-accounts/index.ts'
import { provisionAccount } from '../../../src/features/internal-accounts/index.ts'
import { deposit } from '../../../src/features/transactions/index.ts'
import { findPlatform } from '../../../src/infra/platforms.ts'
import { mustParseId, newUuid } from '../../../src/kernel/ids.ts'
import { expectStatus } from '../api.ts'
import { externalAccountBody } from '../accounts/external-account-bodies.ts'
import { asOperator } from '../accounts/external-accounts.ts'
import type { Kit, TestPlatform } from '../florin.ts'

/** Opens an internal account of production as a bank would, and puts money on it. */
export async function openProductionAccount(
  kit: Pick<Kit, 'florin'>,
  owner: TestPlatform,
  { id, funded }: Readonly<{ id: string; funded: bigint }>,
): Promise<string> {
  const accountId = mustParseId('internalAccount', id)
  await asOperator(kit, owner, (work) =>
    provisionAccount(work, accountId, [
      { accountType: 'SOLANA_WALLET', assetType: 'USDC', address: `wallet-${newUuid()}` },
    ]),
  )
  if (funded === 0n) return id
  const { lane, deps } = kit.florin
  const platform = await findPlatform(deps.db.read, mustParseId('platform', owner.platformId))
  assert.ok(platform)
  await lane.submit(
    { kind: deposit, input: { accountId, amount: funded } },
    {
      platform,
      actor: { kind: 'system', name: 'test' },
      now: deps.clock.now(),
      requestId: newUuid(),
      action: 'test',
    },
  )
  return id
}

let lastNumber = 0

/** An account outside that screening has passed: a bank account in dollars unless told otherwise. */
export async function productionBank(
  kit: Pick<Kit, 'florin'>,
  owner: TestPlatform,
  accountType = 'USD_ACCOUNT',
): Promise<string> {
  lastNumber += 1
  const own = accountType === 'USD_ACCOUNT' ? { accountNumber: `20000${lastNumber}` } : {}
  const { currency, accountInfo } = externalAccountBody(accountType, own)
  const created = await owner.api.post('/platform/external-accounts', { currency, accountInfo })
  const id = expectStatus(created, 201).id
  await asOperator(kit, owner, (work) =>
    setAccountStatus(work, { id: mustParseId('externalAccount', id), status: 'ACTIVE' }),
  )
  return id
}
