/** The scripts of the reference that make samples, which are plain JavaScript, with the types that the tests need. */

export const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const
export type SampleLanguage = (typeof LANGUAGES)[number]

export type PageOperation = Readonly<{ id: string; isSigned: boolean }>

export type Draft = Readonly<{
  values: Readonly<Record<string, string>>
  idempotencyKey: string
  bodyText: string
  parts: readonly (readonly [name: string, value: string | File])[]
}>

type Samples = Readonly<{
  languagesOf(operation: PageOperation): SampleLanguage[]
  sampleOf(
    language: SampleLanguage,
    options: Readonly<{ operation: PageOperation; draft: Draft; serverUrl: string }>,
  ): string
}>

type Model = Readonly<{
  operations: readonly PageOperation[]
  operationById: ReadonlyMap<string, PageOperation>
}>

const load = (name: string): Promise<unknown> =>
  import(new URL(`../../src/pages/docs/${name}`, import.meta.url).href)

export const { languagesOf, sampleOf } = (await load('samples/samples.js')) as Samples

export const { createModel } = (await load('model.js')) as Readonly<{
  createModel(document: unknown): Model
}>
