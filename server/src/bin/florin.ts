import { runCommandLine } from '../app/command-line.ts'
import { loadSettings } from '../infra/settings/settings.ts'

process.exitCode = await runCommandLine({
  args: process.argv.slice(2),
  settings: loadSettings,
  print: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
})
