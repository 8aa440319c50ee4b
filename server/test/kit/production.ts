import assert from 'node:assert/strict'
import { provisionAccount } from '../../src/features/internal-accounts/index.ts'
import { deposit } from '../../src/features/transactions/index.ts'
import { findPlatform } from '../../src/infra/platforms.ts'
import { mustParseId, newUuid } from '../../src/kernel/ids.ts'
import { command } from '../../src/ledger/lane.ts'
import { asOperator } from './external-accounts.ts'
import type { Kit, TestPlatform } from './florin.ts'

/** Opens an internal account of production as a bank would, and puts money on it. */
export async function openProductionAccount(
  kit: Kit,
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
  await lane.submit(command(deposit, { accountId, amount: funded }), {
    platform,
    actor: { kind: 'system', name: 'test' },
    now: deps.clock.now(),
    requestId: newUuid(),
    action: 'test',
  })
  return id
}
