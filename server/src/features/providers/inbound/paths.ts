import type { Port } from '../../../kernel/ports.ts'

/** What a provider may send, by the last part of its address, and the ports that let it. */
export const INBOUND_PORTS = {
  reports: ['rails', 'deposits', 'identity', 'screening', 'cards', 'stablecoins'],
  deposits: ['deposits'],
  alerts: ['identity', 'screening'],
  lists: ['screening'],
  'document-links': ['identity'],
  authorizations: ['cards'],
  'card-events': ['cards'],
  prices: ['prices'],
} as const satisfies Readonly<Record<string, readonly Port[]>>

export type InboundPath = keyof typeof INBOUND_PORTS
export const INBOUND_PATHS = Object.keys(INBOUND_PORTS) as InboundPath[]

export const isGranted = (path: InboundPath, ports: readonly Port[]): boolean =>
  INBOUND_PORTS[path].some((port) => ports.includes(port))

/** `https://api.example.com/providers/Provider:0199…/reports`. */
export const inboundUrl = (publicUrl: string, providerId: string, path: InboundPath): string =>
  `${publicUrl}/providers/${providerId}/${path}`
