import './resolve-sources.ts'
import { client } from '../../../cli/client.ts'
import { runCommandLine } from '../app/command-line.ts'

// A reader that has seen enough, such as `head`, is no failure of the command.
for (const output of [process.stdout, process.stderr])
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

process.exitCode = await runCommandLine({
  args: process.argv.slice(2),
  settings: async () => (await import('../infra/settings/settings.ts')).loadSettings(),
  print: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
  client,
  columns: process.stdout.columns,
})
