/** The texts of every language. A text that a language lacks does not compile. */
import type { Language } from './languages.ts'
import type { Catalogue } from './text-keys.ts'
import { de } from './texts/de.ts'
import { en } from './texts/en.ts'
import { es } from './texts/es.ts'
import { fr } from './texts/fr.ts'
import { it } from './texts/it.ts'
import { nl } from './texts/nl.ts'
import { pl } from './texts/pl.ts'
import { pt } from './texts/pt.ts'

export const CATALOGUES: Readonly<Record<Language, Catalogue>> = { en, de, fr, es, pt, it, nl, pl }
