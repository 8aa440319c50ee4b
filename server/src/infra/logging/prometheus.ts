/** The parts of prom-client that are used. Its index also loads its own measures of the process and OpenTelemetry: 91 modules. */
import { createRequire } from 'node:module'
import type * as prometheus from 'prom-client'

const require = createRequire(import.meta.url)

export const Counter = require('prom-client/lib/counter.js') as typeof prometheus.Counter
export const Gauge = require('prom-client/lib/gauge.js') as typeof prometheus.Gauge
export const Histogram = require('prom-client/lib/histogram.js') as typeof prometheus.Histogram
export const Registry = require('prom-client/lib/registry.js') as typeof prometheus.Registry

export type Counter<Label extends string = string> = prometheus.Counter<Label>
export type Gauge<Label extends string = string> = prometheus.Gauge<Label>
export type Histogram<Label extends string = string> = prometheus.Histogram<Label>
export type Registry = prometheus.Registry
