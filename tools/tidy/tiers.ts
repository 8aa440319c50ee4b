/**
 * The order of the house, lowest first. A file imports its own layer and lower ones; layers on one line are
 * neighbours and do not know each other. ARCHITECTURE.md tells why, tools/tidy.ts proves it.
 */
export const LAYERS: readonly (readonly string[])[] = [
  ['kernel'],
  ['crypto'],
  ['infra'],
  ['providers'],
  ['ledger', 'webhooks', 'orders'],
  ['features'],
  ['pages', 'sandbox', 'operator'],
  ['dashboard'],
  ['app'],
  ['bin'],
]

/** The features by tier, lowest first. A feature imports only lower tiers, and only their `index.ts` or `lists.ts`. */
export const FEATURE_TIERS: readonly (readonly string[])[] = [
  ['platform', 'providers'],
  ['api-tokens', 'events', 'requests', 'customers', 'rates', 'discoveries'],
  // An owner may hold a document.
  ['beneficial-owners'],
  ['contact-verification', 'documents', 'internal-accounts', 'external-accounts'],
  // Wallets are internal accounts, and a change of a customer may have to be signed by one.
  ['wallet-auth'],
  ['verifications', 'sca', 'transactions', 'bulk-import', 'exchange-rates', 'withdrawal-fees'],
  // The record of a movement is below the engine that moves it: a payment writes its record and emits its events.
  ['payment-terms'],
  ['payments'],
  ['trusted-beneficiaries', 'uma', 'cards', 'stablecoins', 'settlements', 'screening'],
  ['receivers', 'invitations', 'transfers', 'delegated-keys'],
  ['quotes'],
  ['agents', 'deposits', 'timelines', 'magic-values'],
]

const rankIn = (order: readonly (readonly string[])[], name: string): number | undefined => {
  const rank = order.findIndex((names) => names.includes(name))
  return rank === -1 ? undefined : rank + 1
}

/** 1 is the lowest; undefined when the name is not in the list. */
export const layerRank = (layer: string): number | undefined => rankIn(LAYERS, layer)
export const featureTier = (feature: string): number | undefined => rankIn(FEATURE_TIERS, feature)

export function mayImportLayer({ importer, imported }: { importer: string; imported: string }) {
  if (importer === imported) return true
  // The simulators are wired in at the top and known to nobody else.
  if (imported === 'sandbox') return importer === 'app'
  return (layerRank(importer) ?? 0) > (layerRank(imported) ?? Infinity)
}
