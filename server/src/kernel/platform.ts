import { asId, type Id } from './ids.ts'

export const ENVIRONMENTS = ['SANDBOX', 'PRODUCTION'] as const
export type Environment = (typeof ENVIRONMENTS)[number]
export const isEnvironment = (value: unknown): value is Environment =>
  ENVIRONMENTS.some((environment) => environment === value)
/** The environment of a new platform for which the operator names none. */
export const NEW_PLATFORM_ENVIRONMENT: Environment = 'SANDBOX'
/** The environment of operator commands that name none. */
export const DEFAULT_ENVIRONMENT: Environment = 'PRODUCTION'
/** Calls `make` once for each environment. */
export const byEnvironment = <T>(
  make: (environment: Environment) => T,
): Record<Environment, T> => ({
  SANDBOX: make('SANDBOX'),
  PRODUCTION: make('PRODUCTION'),
})

export type PlatformKind = 'REGULATED' | 'UNREGULATED' | 'HOUSE'

/** The tenant a request belongs to, as every layer sees it. */
export type Platform = Readonly<{
  id: Id<'platform'>
  name: string
  kind: PlatformKind
  environment: Environment
  /** Sandbox time is real time plus this. */
  clockOffsetMs: number
  skipVerificationPaperwork: boolean
  strictIdentifiers: boolean
  travelRule: boolean
}>

/** The built-in platforms whose books hold unallocated money; the first migration creates them (CORE-23). */
export const HOUSE_PLATFORM_IDS: Readonly<Record<Environment, Id<'platform'>>> = {
  SANDBOX: asId('platform', '00000000-0000-7000-8000-000000000001'),
  PRODUCTION: asId('platform', '00000000-0000-7000-8000-000000000002'),
}

export const environmentOfHouse = (houseId: Id<'platform'>): Environment =>
  houseId === HOUSE_PLATFORM_IDS.SANDBOX ? 'SANDBOX' : 'PRODUCTION'

/** The time on the platform's clock, which all behaviour reads (CORE-60). */
export function platformTime(platform: Pick<Platform, 'clockOffsetMs'>, realTime: Date): Date {
  return new Date(realTime.getTime() + platform.clockOffsetMs)
}
