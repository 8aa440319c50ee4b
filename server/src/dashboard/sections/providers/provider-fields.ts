/** The form of a registration. */
import { ENVIRONMENTS } from '../../../kernel/platform.ts'
import { PORTS, PROVIDER_KINDS } from '../../../kernel/ports.ts'
import { inWords } from '../../cells/cells.ts'
import type { Choice, Field } from '../../section.ts'

const choice = (value: string, label: string): Choice => ({ value, label })

const KIND_WORDS: Readonly<Record<(typeof PROVIDER_KINDS)[number], string>> = {
  http: 'A service reached over HTTP',
  manual: 'The operators, by hand',
  sandbox: 'The built-in sandbox (sandbox only)',
}

export const NEW_FIELDS: readonly Field[] = [
  {
    name: 'ports',
    label: 'Ports that it answers for',
    kind: 'boxes',
    choices: () => PORTS.map((port) => choice(port, inWords(port))),
  },
  {
    name: 'name',
    label: 'Name',
    hint: 'Small letters, digits and hyphens, as in acme-bank.',
    isRequired: true,
  },
  {
    name: 'kind',
    label: 'Kind',
    kind: 'choice',
    isRequired: true,
    choices: () => [...PROVIDER_KINDS].toReversed().map((one) => choice(one, KIND_WORDS[one])),
  },
  {
    name: 'environment',
    label: 'Environment',
    kind: 'choice',
    isRequired: true,
    choices: () => ENVIRONMENTS.toReversed().map((one) => choice(one, inWords(one))),
  },
]

export const SETTING_FIELDS: readonly Field[] = [
  {
    name: 'url',
    label: 'Address',
    hint: 'Where orders are sent, of an HTTP service. https, unless it is on this machine.',
  },
  {
    name: 'platform',
    label: 'Platforms',
    kind: 'lines',
    hint: 'Only for these platform ids, one a line; empty for all.',
  },
  {
    name: 'rail',
    label: 'Rails',
    kind: 'lines',
    hint: 'Only for these, as in SEPA_INSTANT, one a line; empty for all.',
  },
  {
    name: 'currency',
    label: 'Currencies',
    kind: 'lines',
    hint: 'Only for these, as in EUR, one a line; empty for all.',
  },
  {
    name: 'account-type',
    label: 'Account types',
    kind: 'lines',
    hint: 'Only for these, as in EUR_ACCOUNT, one a line; empty for all.',
  },
  {
    name: 'window',
    label: 'Seconds to send an order again without an answer',
    hint: '300 to 2592000.',
  },
  { name: 'max-in-flight', label: 'Orders sent at a time, at most', hint: '1 to 64.' },
  {
    name: 'authorization-deadline-ms',
    label: 'Milliseconds for a card decision',
    hint: '500 to 10000.',
  },
  {
    name: 'payment-threshold',
    label: 'Screen payments from',
    hint: 'In cents: USD:500000 is 5,000.00 USD.',
  },
  { name: 'config', label: 'Configuration', kind: 'text', hint: 'A JSON object.' },
]
