import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { describeMachine, type Machine } from '../../server/src/kernel/machine.ts'
import { GENERATED, markdownTable } from './markdown-table.ts'

type AnyMachine = Machine<string, string>

const isMachine = (value: unknown): value is AnyMachine =>
  typeof value === 'object' && value !== null && 'table' in value && 'initial' in value

async function machinesOf(root: string): Promise<AnyMachine[]> {
  const paths = await Array.fromAsync(glob('server/src/**/*machine.ts', { cwd: root }))
  const found = await Promise.all(
    paths
      .filter((path) => !path.endsWith('kernel/machine.ts'))
      .toSorted()
      .map(async (path) => Object.values((await import(join(root, path))) as object)),
  )
  return found.flat().filter(isMachine)
}

function section(machine: AnyMachine): string {
  const { name, initial, moves, terminal } = describeMachine(machine)
  const arrows = [
    ...initial.map((state) => `  [*] --> ${state}`),
    ...moves.map(({ from, transition, to }) => `  ${from} --> ${to}: ${transition}`),
    ...terminal.map((state) => `  ${state} --> [*]`),
  ]
  const rows = moves.map(({ from, transition, to }) => [`\`${from}\``, transition, `\`${to}\``])
  return `## ${name}

\`\`\`mermaid
stateDiagram-v2
${arrows.join('\n')}
\`\`\`

${markdownTable(['from', 'event', 'to'], rows)}
`
}

export async function machinesPage(root: string): Promise<string> {
  const machines = await machinesOf(root)
  return `${GENERATED}

# State machines

${machines.map(section).join('\n')}`
}
