#!/usr/bin/env node
// `npx florin …`: hands over to the command proper on the pinned Node, installing what is missing.
import { fileURLToPath } from 'node:url'

const setup = new URL('../../../tools/setup.mjs', import.meta.url)
const command = fileURLToPath(new URL('./florin.ts', import.meta.url))
process.argv.splice(1, 1, fileURLToPath(setup), command)
await import(setup.href)
