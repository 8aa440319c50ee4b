/** One row of the settings' tables. */
import type { Texts } from './given-texts.ts'
import type { SettingKind } from './setting-kinds.ts'

/** Read like a given value; a function where it depends on other settings. */
export type Default = string | ((texts: Texts) => string)

export type Setting<T> = Readonly<{
  name: string
  /** An older name under which it is still taken. */
  alias?: string
  kind: SettingKind<T>
  default?: Default
  /** For the README, where the default is a function. */
  defaultShown?: string
  requiredInProduction?: true
  /** Settings that give the same thing in another way: one of all of them at most, and in production one at least. */
  alternatives?: readonly string[]
  about: string
}>

export type WithDefault<T> = Setting<T> & { readonly default: Default }

export function setting<T>(row: WithDefault<T>): WithDefault<T> {
  return row
}

/** Without a default: undefined unless given. */
export function optional<T>(row: Setting<T>): Setting<T> {
  return row
}

export const isProduction = (texts: Texts): boolean => texts['NODE_ENV'] === 'production'
