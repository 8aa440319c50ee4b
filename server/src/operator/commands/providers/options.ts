import type { GivenFields } from '../../../features/providers/index.ts'
import { fileIn, UsageError, type Input, type Option } from '../../command.ts'

const many = (about: string, value: string): Option => ({ about, value, repeatable: true })

/** The options that `add` and `update` share. */
export const SHARED_OPTIONS: Readonly<Record<string, Option>> = {
  url: { about: 'Address of an http provider; https but for loopback.', value: 'URL' },
  platform: many('Serves this platform only; may be repeated.', 'ID'),
  rail: many('Takes orders of this rail only; may be repeated.', 'RAIL'),
  currency: many('Takes orders of this currency only; may be repeated.', 'CODE'),
  'account-type': many('Takes orders to this type of account only; may be repeated.', 'TYPE'),
  ca: {
    about: 'Certificate authorities in place of the public ones, in PEM.',
    value: 'FILE',
    isPath: true,
  },
  config: { about: 'What its kind can be set to.', value: 'JSON', isSecret: true },
  window: { about: 'How long an order without an answer is sent again.', value: 'SECONDS' },
  'max-in-flight': { about: 'Orders sent at a time, at most (default 8).', value: 'N' },
  'authorization-deadline-ms': { about: 'Time for a card decision (default 2000).', value: 'N' },
  'payment-threshold': { about: 'Smaller payments are not screened.', value: 'USD:CENTS' },
}

/** Clears a list or the certificate authorities. */
const NONE = 'none'

const listOf = (input: Input, name: string): { value: unknown } | undefined => {
  const texts = input.options(name)
  if (texts.length === 0) return undefined
  return { value: texts.join() === NONE ? undefined : [...new Set(texts)] }
}

function configOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError('--config is a JSON object.')
  }
}

type Reader = (input: Input) => Promise<unknown> | { value: unknown } | undefined

const caOf: Reader = (input) => {
  const path = input.option('ca')
  if (path === undefined) return undefined
  if (path === NONE) return { value: undefined }
  return { value: fileIn(input, 'ca') }
}

/** Other text is kept, so that the check of the fields refuses it together with the other errors. */
const numberOf = (text: string): unknown => (/^\d{1,15}$/.test(text) ? Number(text) : text)

const centsOf = (text: string): unknown => numberOf(text.replace(/^USD:/, ''))

const textOf =
  (name: string, read: (text: string) => unknown = (text) => text): Reader =>
  (input) => {
    const text = input.option(name)
    return text === undefined ? undefined : { value: read(text) }
  }

const portsOf = (text: string): unknown => text.split(',').map((port) => port.trim())

const READERS: Readonly<Record<keyof GivenFields, Reader>> = {
  name: textOf('name'),
  kind: textOf('kind'),
  environment: textOf('environment'),
  status: textOf('status'),
  ports: textOf('ports', portsOf),
  url: textOf('url'),
  ca: caOf,
  platforms: (input) => listOf(input, 'platform'),
  rails: (input) => listOf(input, 'rail'),
  currencies: (input) => listOf(input, 'currency'),
  accountTypes: (input) => listOf(input, 'account-type'),
  config: textOf('config', configOf),
  resendWindowSeconds: textOf('window', numberOf),
  maxInFlight: textOf('max-in-flight', numberOf),
  authorizationDeadlineMs: textOf('authorization-deadline-ms', numberOf),
  paymentThreshold: textOf('payment-threshold', centsOf),
}

/** The fields that the options set; a cleared one is undefined. */
export async function fieldsFrom(input: Input): Promise<GivenFields> {
  const read = Object.entries(READERS).map(async ([field, reader]) => {
    const found = (await reader(input)) as { value: unknown } | undefined
    return found ? [[field, await found.value] as const] : []
  })
  return Object.fromEntries((await Promise.all(read)).flat())
}
