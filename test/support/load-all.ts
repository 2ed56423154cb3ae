/** Loads all lazy modules before the first test of a mutation run. */
import 'payment-platform';
import 'payment-platform/webhooks';
import '../../src/contract/index.js';
import '../../src/transport/send/ky-client.js';
import '../../src/transport/send/node-client.js';
import '../../src/transport/upload/node-upload.js';
