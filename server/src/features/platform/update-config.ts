import { isDeepStrictEqual } from 'node:util'
import { addMs } from '../../kernel/clock.ts'
import { fail, mustHaveNoErrors } from '../../kernel/errors.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import type { Work } from '../../infra/work/work.ts'
import { sendTestEvent, skipWaitingEvents } from '../../webhooks/endpoints/endpoint-change.ts'
import { changeConfig, type ConfigUpdate } from './change-config.ts'
import { checkUmaDomain } from './check-uma-domain.ts'
import { FEE_CURRENCY, type PlatformConfig } from './config.ts'
import {
  deleteCurrencies,
  deleteFees,
  deleteLogo,
  findConfig,
  insertCurrencies,
  insertFees,
  lockConfig,
  lockUmaDomain,
  saveConfig,
  saveLogo,
} from './store.ts'

/**
 * Changes the fields of the request and leaves the others (CFG-3). The platform's row is locked, so racing updates
 * build on each other (CFG-19). A new currency gets its accounts by reaction, a new webhook endpoint a TEST event
 * (HOOK-40); clearing the endpoint ends waiting deliveries (HOOK-17).
 * Fails: INVALID_INPUT when another production platform has the UMA domain, NOT_IMPLEMENTED on fees in another currency
 * than USD.
 */
export async function updateConfig(work: Work, update: ConfigUpdate): Promise<PlatformConfig> {
  const { tx, platform, now } = work
  await refuseHeldDomain(work, update.umaDomain)
  if (update.feeConfigs?.some(({ sourceCurrency }) => sourceCurrency !== FEE_CURRENCY)) {
    fail('NOT_IMPLEMENTED', { field: 'feeConfigs', supportedCurrency: FEE_CURRENCY })
  }
  await lockConfig(tx, platform.id)
  const before = await findConfig(tx, platform.id)
  const changed = changeConfig(before, update)
  if (isDeepStrictEqual(changed, before)) return before
  const after = { ...changed, updatedAt: laterThan(before.updatedAt, now) }
  await save(work, before, after)
  if (update.branding?.logo) await saveLogo(tx, platform.id, update.branding.logo)
  else if (before.branding?.logo && !after.branding?.logo) await deleteLogo(tx, platform.id)
  await tell(work, before, after)
  return after
}

async function refuseHeldDomain(
  { tx, platform }: Work,
  umaDomain: string | undefined,
): Promise<void> {
  if (umaDomain === undefined || !traitsOf(platform).reachesCounterparties) return
  await lockUmaDomain(tx, umaDomain.toLowerCase())
  const errors = await checkUmaDomain(tx, platform, umaDomain)
  mustHaveNoErrors(errors)
}

/** Every change moves `updatedAt`, also the second within a millisecond. */
const laterThan = (previous: Date, now: Date): Date => (now > previous ? now : addMs(previous, 1))

type Save = (work: Work, before: PlatformConfig, after: PlatformConfig) => Promise<void>

const save: Save = async ({ tx, platform }, before, after) => {
  await saveConfig(tx, platform.id, after)
  if (!isDeepStrictEqual(after.currencies, before.currencies)) {
    await deleteCurrencies(tx, platform.id)
    await insertCurrencies(tx, platform.id, after.currencies)
  }
  if (!isDeepStrictEqual(after.feeConfigs, before.feeConfigs)) {
    await deleteFees(tx, platform.id)
    await insertFees(tx, platform.id, after.feeConfigs)
  }
}

const tell: Save = async (work, before, after) => {
  const known = new Set(before.currencies.map(({ currency }) => currency))
  const added = after.currencies.map(({ currency }) => currency).filter((code) => !known.has(code))
  if (added.length > 0) await work.react('platform.currenciesAdded', { currencies: added })
  if (after.webhookEndpoint === before.webhookEndpoint) return
  const [old, present] = [before.webhookEndpoint, after.webhookEndpoint]
  if (old === undefined || present === undefined) skipWaitingEvents(work)
  if (present !== undefined) sendTestEvent(work)
}
