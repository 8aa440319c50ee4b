import { chmod, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { callFlorin } from '../operator.ts'
import { serveHttp } from '../outside/loopback-server.ts'

/**
 * A program for shells that stands for `npm run -s florin --`: it sends its words, folder and environment to this
 * process, which runs the command, since loading one of its own takes a second and a half. Answers the program's path.
 */
export async function writeCommandShim(folder: string): Promise<string> {
  const { url } = await serveHttp((request, response) => void answer(request, response))
  const path = join(folder, 'florin')
  const call = `{ printf '%s\\0' "$PWD" "$#" "$@"; env -0; }`
  await writeFile(path, `#!/bin/sh\n${call} | curl -sS --fail-with-body --data-binary @- ${url}\n`)
  await chmod(path, 0o755)
  return path
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [cwd = '', count = '', ...parts] = (await buffer(request)).toString().split('\0')
  const args = parts.slice(0, Number(count))
  const pairs = parts.slice(args.length).map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return [name, value.join('=')] as const
  })
  const env = Object.fromEntries(pairs)
  const { status, stdout, stderr } = await callFlorin({ args, env, cwd })
  response.writeHead(status === 0 ? 200 : 422).end(stdout + stderr)
}
