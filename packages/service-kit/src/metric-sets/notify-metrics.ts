// The metrics of webhooks.

import { type MetricDeclaration, p95 } from '../metric-declaration.ts'

export const NOTIFY_METRICS = {
  webhookAttempts: {
    type: 'counter',
    name: 'orrery_webhook_attempts_total',
    help: 'Requests to receivers of webhooks by outcome: delivered (2xx), failed (attempted again later), or dead (given up).',
    promql: 'sum by (outcome) (rate(orrery_webhook_attempts_total[5m]))',
    labels: ['outcome'],
  },
  webhookAttemptSeconds: {
    type: 'histogram',
    name: 'orrery_webhook_attempt_duration_seconds',
    help: 'Time from the start of a request to a receiver to its answer, or to its failure.',
    promql: p95('orrery_webhook_attempt_duration_seconds', 'outcome'),
    labels: ['outcome'],
  },
  webhookEvents: {
    type: 'counter',
    name: 'orrery_webhook_events_total',
    help: 'Events that were stored as deliveries.',
    promql: 'sum(rate(orrery_webhook_events_total[5m]))',
    labels: [],
  },
  webhookDisabled: {
    type: 'counter',
    name: 'orrery_webhook_disabled_total',
    help: 'Webhooks that were disabled by the server, by reason: gone (the receiver answered 410) or failing (no success for 24 hours).',
    promql: 'sum by (reason) (increase(orrery_webhook_disabled_total[1h]))',
    labels: ['reason'],
  },
  webhookLeases: {
    type: 'gauge',
    name: 'orrery_webhook_leases_number',
    help: 'Webhooks that this instance delivers.',
    promql: 'sum(orrery_webhook_leases_number)',
    labels: [],
  },
  webhookPending: {
    type: 'gauge',
    name: 'orrery_webhook_pending_number',
    help: 'Deliveries of the webhooks of this instance that are not delivered yet, those of disabled webhooks left out.',
    promql: 'sum(orrery_webhook_pending_number)',
    labels: [],
  },
  webhookOldestSeconds: {
    type: 'gauge',
    name: 'orrery_webhook_oldest_pending_seconds',
    help: 'Age of the oldest of these deliveries; 0 when there is none, absent while the database of organizations cannot be used. A receiver that fails makes it grow up to 24 hours.',
    promql: 'max(orrery_webhook_oldest_pending_seconds)',
    labels: [],
  },
} as const satisfies Record<string, MetricDeclaration>
