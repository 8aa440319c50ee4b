import type { Branding, CurrencyConfig, FeeConfig, PlatformConfig } from './config.ts'
import type { Logo } from './logo.ts'
import { mergeFields } from './merge-fields.ts'
import { CardTokenization2faConfigSchema, EmbeddedWalletConfigSchema } from './schema.ts'

type Changes = Readonly<Record<string, unknown>> | null

/** The changes of a PATCH; an absent field stays, null clears. */
export type ConfigUpdate = Readonly<{
  umaDomain?: string | undefined
  webhookEndpoint?: string | null | undefined
  currencies?: readonly CurrencyConfig[] | undefined
  embeddedWallet?: Changes | undefined
  cardTokenization2fa?: Changes | undefined
  feeConfigs?: readonly FeeConfig[] | undefined
  branding?: BrandingChanges | null | undefined
}>

type BrandingChanges = Readonly<{
  name?: string | null | undefined
  color?: string | null | undefined
  logo?: Logo | null | undefined
}>

/** The configuration after the update; equal to the one before when nothing in it changes. */
export function changeConfig(config: PlatformConfig, update: ConfigUpdate): PlatformConfig {
  const { umaDomain, webhookEndpoint, currencies, embeddedWallet, cardTokenization2fa } = update
  return {
    ...config,
    ...(umaDomain !== undefined && { umaDomain: umaDomain.toLowerCase() }),
    ...(webhookEndpoint !== undefined && { webhookEndpoint: webhookEndpoint ?? undefined }),
    ...(currencies && { currencies }),
    ...(embeddedWallet !== undefined && {
      embeddedWallet: mergeFields(
        EmbeddedWalletConfigSchema,
        config.embeddedWallet,
        embeddedWallet,
      ),
    }),
    ...(cardTokenization2fa !== undefined && {
      cardTokenization2fa: mergeFields(
        CardTokenization2faConfigSchema,
        config.cardTokenization2fa,
        cardTokenization2fa,
      ),
    }),
    ...(update.branding !== undefined && {
      branding: mergeBranding(config.branding ?? {}, update.branding),
    }),
    ...(update.feeConfigs && { feeConfigs: upsertFees(config.feeConfigs, update.feeConfigs) }),
  }
}

/** An absent field stays, null clears it. */
function mergeBranding(before: Branding, changes: BrandingChanges | null): Branding | undefined {
  if (changes === null) return undefined
  const { name = before.name, color = before.color, logo = before.logo } = changes
  const after = {
    ...(name && { name }),
    ...(color && { color }),
    ...(logo && { logo: { digest: logo.digest, mediaType: logo.mediaType } }),
  }
  return Object.keys(after).length > 0 ? after : undefined
}

const feeKey = ({ feeType, sourceCurrency }: FeeConfig): string => `${feeType} ${sourceCurrency}`

const isFree = ({ variableFeeBps, fixedFeeAmount }: FeeConfig): boolean =>
  variableFeeBps === 0 && fixedFeeAmount === 0n

/** Other entries stay; an entry without any fee is removed (CFG-17). */
function upsertFees(stored: readonly FeeConfig[], given: readonly FeeConfig[]): FeeConfig[] {
  const byKey = new Map([...stored, ...given].map((fee) => [feeKey(fee), fee]))
  return [...byKey.values()]
    .filter((fee) => !isFree(fee))
    .toSorted((a, b) => (feeKey(a) < feeKey(b) ? -1 : 1))
}
