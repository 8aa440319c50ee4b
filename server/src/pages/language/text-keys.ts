/** The names of the texts, and of the values that each needs: those of the English ones. */
import type { en } from './texts/en.ts'

type English = typeof en

export type TextKey = keyof English

export type Catalogue = Readonly<Record<TextKey, string>>

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** The names in braces that a text needs values for. */
export type ValueName<Key extends TextKey> = NamesIn<English[Key]>

/** Texts that stand by themselves. */
export type PlainKey = {
  [Key in TextKey]: [ValueName<Key>] extends [never] ? Key : never
}[TextKey]
