/** Settings as they are given: texts by their names. */
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

export type Texts = Readonly<Record<string, string | undefined>>

export function readEnvFile(path: string, problems: string[]): Texts {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') problems.push(`${path} cannot be read (${code}).`)
    return {}
  }
}

/** A setting that is present but blank counts as not given. */
export function onlyGiven(texts: Texts): Texts {
  const given = Object.entries(texts).map(([name, text]) => [name, text?.trim()] as const)
  return Object.fromEntries(given.filter(([, text]) => text !== undefined && text !== ''))
}
