import { newId, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import { newCurrencyConfig } from './config.ts'
import { insertCurrencies, insertPlatform } from './store.ts'
import { startPruning } from '../../webhooks/queue/retention.ts'
import { newSealedKeyPair } from '../../webhooks/signing/webhook-key.ts'

export type PlatformToCreate = Readonly<{
  /** In order; all of them are in the catalogue. */
  currencies: readonly string[]
  passkeyOrigins: readonly string[]
  /** Origins that may frame the page of a card number (CARD-37). */
  cardOrigins: readonly string[]
  /** The installation's domain; each platform gets a subdomain. */
  umaDomain: string
}>

/**
 * Creates the platform of this work with its first configuration (CFG-2), its webhook key pair and, by reaction, one
 * internal account per currency.
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

/** Unique like the id, and short, since people type addresses. */
const subdomainOf = (id: Id<'platform'>): string => `p${id.replaceAll('-', '').slice(-16)}`
