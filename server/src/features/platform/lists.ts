// What a list reads, without use-cases and routes: a command loads no more than this (OPER-204).
export { CURRENCIES_WITH_REQUIREMENTS, providerRequirementsOf } from './provider-requirements.ts'
