import { mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { CallError, type Context } from './command.ts'

const OTHERS = 0o077

type Env = Context['env']

const folderOf = (env: Env): string =>
  join(env['XDG_CONFIG_HOME'] ?? join(env['HOME'] ?? homedir(), '.config'), 'florin')

export const configPath = (env: Env, name: string): string => join(folderOf(env), name)

/** The text of a file that only its owner can read; undefined where there is none (OPER-150). */
export async function readConfig(env: Env, name: string): Promise<string | undefined> {
  const path = configPath(env, name)
  try {
    const { mode } = await stat(path)
    if ((mode & OTHERS) !== 0)
      throw new CallError(`Others can read ${path}. Run: chmod 600 ${path}`)
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw code === undefined ? error : new CallError(`${path} cannot be read (${message}).`)
  }
}

/** Replaced as a whole, so that a reader sees the text before or after. */
export async function writeConfig(env: Env, name: string, text: string): Promise<void> {
  const path = configPath(env, name)
  try {
    await mkdir(folderOf(env), { recursive: true, mode: 0o700 })
    await replaceFile(path, text)
  } catch (error) {
    throw new CallError(`${path} cannot be written (${(error as Error).message}).`)
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(text)
  } finally {
    await file.close()
  }
  await rename(draft, path)
}
