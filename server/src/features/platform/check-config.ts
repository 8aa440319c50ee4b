import type { FieldError } from '../../kernel/errors.ts'
import { isDomainName } from '../../kernel/text/formats.ts'
import type { Platform } from '../../kernel/platform.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import { isPublicHost } from '../../infra/public-host.ts'
import { logoOf } from './logo.ts'

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

/** Rules on a configuration update that a schema cannot state (CFG-7 to CFG-17). Accepts unvalidated input. */
export function checkConfig(
  body: unknown,
  { platform }: { platform: Pick<Platform, 'environment'> },
): FieldError[] {
  const { umaDomain, webhookEndpoint, supportedCurrencies, feeConfigs, branding } = fieldsOf(body)
  return [
    ...checkUmaDomain(umaDomain),
    ...checkWebhookEndpoint(webhookEndpoint, platform),
    ...checkCurrencies(listOf(supportedCurrencies)),
    ...checkFees(listOf(feeConfigs)),
    ...checkLogo(fieldsOf(branding)),
  ]
}

function checkLogo({ logo }: Fields): FieldError[] {
  if (typeof logo !== 'string' || logoOf(logo)) return []
  const message = 'must be a PNG or JPEG of at most 100 KB and 2,000 pixels a side, in base64'
  return [{ field: 'branding.logo', message }]
}

function checkUmaDomain(domain: unknown): FieldError[] {
  if (typeof domain !== 'string' || isDomainName(domain)) return []
  return [{ field: 'umaDomain', message: 'must be a DNS name of at least two labels' }]
}

/** Rules on the endpoint beyond the format `url` (CFG-13). */
function checkWebhookEndpoint(
  endpoint: unknown,
  platform: Pick<Platform, 'environment'>,
): FieldError[] {
  if (typeof endpoint !== 'string') return []
  const refused = (message: string): FieldError[] => [
    { field: 'webhookEndpoint', constraint: { format: 'url' }, message },
  ]
  if (endpoint.includes('#')) return refused('must not have a fragment')
  const url = URL.parse(endpoint)
  if (traitsOf(platform).allowsLoopback || url === null) return []
  if (url.protocol !== 'https:') return refused('must use https in production')
  return isPublicHost(url.hostname) ? [] : refused('must have a public host in production')
}

function checkCurrencies(entries: readonly Fields[]): FieldError[] {
  const codes = entries.map(({ currencyCode }) => currencyCode)
  return [
    ...repeats(codes, (n) => `supportedCurrencies.${n}.currencyCode`),
    ...entries.flatMap((entry, n) => {
      const path = `supportedCurrencies.${n}`
      const names = listOf(entry['requiredCounterpartyFields']).map(({ name }) => name)
      return [
        ...checkBounds(entry, `${path}.maxAmount`),
        ...repeats(names, (m) => `${path}.requiredCounterpartyFields.${m}.name`),
      ]
    }),
  ]
}

function checkBounds({ minAmount, maxAmount }: Fields, field: string): FieldError[] {
  if (typeof minAmount !== 'number' || typeof maxAmount !== 'number') return []
  return minAmount > maxAmount ? [{ field, message: 'must not be less than minAmount' }] : []
}

function checkFees(entries: readonly Fields[]): FieldError[] {
  const keys = entries.map(({ feeType, sourceCurrency }) =>
    typeof feeType === 'string' && typeof sourceCurrency === 'string'
      ? `${feeType} ${sourceCurrency}`
      : undefined,
  )
  return [
    ...repeats(keys, (n) => `feeConfigs.${n}.sourceCurrency`),
    ...entries.flatMap(({ sourceCurrency, fixedFee }, n) => {
      const { currency } = fieldsOf(fixedFee)
      if (typeof currency !== 'string' || currency === sourceCurrency) return []
      const field = `feeConfigs.${n}.fixedFee.currency`
      return [{ field, message: 'must equal sourceCurrency' }]
    }),
  ]
}

/** Reports the later of two equal values. */
function repeats(values: readonly unknown[], fieldOf: (index: number) => string): FieldError[] {
  const seen = new Set<string>()
  return values.flatMap((value, index) => {
    if (typeof value !== 'string' || !seen.has(value)) {
      if (typeof value === 'string') seen.add(value)
      return []
    }
    return [{ field: fieldOf(index), message: 'is listed twice' }]
  })
}
