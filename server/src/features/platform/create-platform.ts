import { newId, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import { newCurrencyConfig } from './config.ts'
import { insertCurrencies, insertPlatform } from './store.ts'
import { startPruning } from '../../webhooks/queue/retention.ts'
import { newSealedKeyPair } from '../../webhooks/signing/webhook-key.ts'

export type PlatformToCreate = Readonly<{
  /** In order; the catalogue knows them all. */
  currencies: readonly string[]
  passkeyOrigins: readonly string[]
  /** Pages that may hold card numbers in a frame (CARD-37). */
  cardOrigins: readonly string[]
  /** The installation's domain below which each platform gets a subdomain of its own. */
  umaDomain: string
}>

/**
 * Makes the platform that this work is for, with its configuration as CFG-2 starts it, its webhook key pair, and
 * (by reaction) one internal account per currency.
 */
export async function createPlatform(
  work: Work,
  { currencies, passkeyOrigins, cardOrigins, umaDomain }: PlatformToCreate,
): Promise<{ webhookPublicKey: string }> {
  const { tx, platform, now, keyring } = work
  const keys = newSealedKeyPair(keyring, platform.id)
  const proxyUmaSubdomain = subdomainOf(platform.id)
  await insertPlatform(tx, {
    id: platform.id,
    configId: newId('platformConfig'),
    name: platform.name,
    kind: platform.kind,
    environment: platform.environment,
    skipVerificationPaperwork: platform.skipVerificationPaperwork,
    strictIdentifiers: platform.strictIdentifiers,
    passkeyOrigins,
    cardOrigins,
    webhookPublicKey: keys.publicKey,
    webhookPrivateKey: keys.privateKey,
    umaDomain: `${proxyUmaSubdomain}.${umaDomain}`,
    proxyUmaSubdomain,
    at: now,
  })
  await insertCurrencies(tx, platform.id, currencies.map(newCurrencyConfig))
  startPruning(work)
  await work.react('platform.currenciesAdded', { currencies })
  return { webhookPublicKey: keys.publicKey }
}

/** Unique because the id is, short because addresses are typed by people. */
const subdomainOf = (id: Id<'platform'>): string => `p${id.replaceAll('-', '').slice(-16)}`
