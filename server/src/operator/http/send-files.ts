/** What a command writes into a file on the machine is, over HTTP, the answer itself (OPER-65). */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import tar from 'tar-stream'
import type { Deps } from '../../infra/deps.ts'
import { runCommand } from '../access/run-command.ts'
import type { Command } from '../command.ts'
import { readBody, refusingUsage } from './command-body.ts'

/** The option that names the file, as in `answersFile`. */
const TO = 'to'

export type SentFile = Readonly<{ name: string; type: string; bytes: Readable }>

/** One file goes as it is, several as one archive. Nothing of it stays on the machine. */
export async function writtenFile(deps: Deps, command: Command, body: unknown): Promise<SentFile> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-answer-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const name = command.name.replaceAll(' ', '-')
    const running = runCommand(deps, command, () => {
      const { [TO]: _file, ...options } = command.options ?? {}
      const input = readBody({ ...command, options }, body)
      const path = join(folder, name)
      return { ...input, option: (option) => (option === TO ? path : input.option(option)) }
    })
    await refusingUsage(running)
    const found = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = found
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    const [only = '', ...rest] = files
    const sent =
      rest.length === 0
        ? { name, type: 'application/octet-stream', bytes: createReadStream(only) }
        : { name: `${name}.tar`, type: 'application/x-tar', bytes: archive(folder, files) }
    void finished(sent.bytes, { writable: false }).then(remove, remove)
    return sent
  } catch (error) {
    await remove()
    throw error
  }
}

function archive(folder: string, files: readonly string[]): Readable {
  const pack = tar.pack()
  const fill = async (): Promise<void> => {
    for (const path of files) {
      const { size } = await stat(path)
      const entry = pack.entry({ name: path.slice(folder.length + 1), size })
      createReadStream(path).pipe(entry)
      await once(entry, 'finish')
    }
    pack.finalize()
  }
  fill().catch((error: Error) => pack.destroy(error))
  return pack as unknown as Readable
}
