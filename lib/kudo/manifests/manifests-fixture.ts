/** Manifests as people have them: an application with a database, as `kubectl get -o yaml` and a person wrote them. */
export const SHOP = `# the shop
apiVersion: v1
kind: Namespace
metadata:
  name: trade
  labels: {team: shop}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop-web
  namespace: trade
  uid: 1b1c
  creationTimestamp: "2024-01-01T00:00:00Z"
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: "{}"
    note: 'braces {{ stay }}'
  labels: {app: shop-web}
spec:
  replicas: 3
  selector: {matchLabels: {app: shop-web}}
  template:
    metadata: {labels: {app: shop-web}}
    spec:
      serviceAccountName: shop
      containers:
        - name: web
          image: registry.example.org:5000/shop/web:1.10
          ports: [{containerPort: 8080}]
          env:
            - {name: DB_URL, value: "postgres://shop-db:5432/shop"}
            - {name: DB_HOST, value: shop-db-0.shop-db.trade.svc.cluster.local}
            - {name: API_TOKEN, value: s3cr3t-token}
            - {name: LOG_LEVEL, value: debug}
            - {name: API, value: https://kubernetes.default.svc}
          resources:
            requests: {cpu: 1, memory: 256Mi}
            limits: {memory: 512Mi}
status: {replicas: 3}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: shop-db, namespace: trade}
spec:
  serviceName: shop-db
  replicas: 1
  selector: {matchLabels: {app: shop-db}}
  template:
    metadata: {labels: {app: shop-db}}
    spec:
      containers:
        - name: db
          image: postgres:16.2
          env:
            - {name: LOG_LEVEL, value: debug}
            - name: POSTGRES_PASSWORD
              valueFrom: {secretKeyRef: {name: shop-secrets, key: db-password}}
        - name: exporter
          image: exporter@sha256:0123456789012345678901234567890123456789012345678901234567890123
  volumeClaimTemplates:
    - metadata: {name: data}
      spec:
        accessModes: [ReadWriteOnce]
        storageClassName: fast
        resources: {requests: {storage: 10Gi}}
---
apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: Service
    metadata: {name: shop-db, namespace: trade}
    spec: {clusterIP: None, selector: {app: shop-db}, ports: [{port: 5432}]}
  - apiVersion: v1
    kind: Service
    metadata: {name: shop-web, namespace: trade}
    spec: {type: ClusterIP, clusterIP: 10.0.0.7, selector: {app: shop-web}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: v1
kind: Secret
metadata: {name: shop-secrets, namespace: trade}
type: Opaque
data:
  db-password: aHVudGVyMg==
  license: bGluZSAxCmxpbmUgMgo=
  bytes: /////w==
---
apiVersion: v1
kind: ConfigMap
metadata: {name: shop-config, namespace: trade}
data:
  nginx.conf: |
    upstream web { server shop-web:80; }
    # shop-web is the web server, /var/shop-web its folder
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: shop, namespace: trade}
secrets: [{name: shop-token-abc}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: shop, namespace: trade}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
subjects: [{kind: ServiceAccount, name: shop, namespace: trade}]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: shop, namespace: trade}
spec:
  ingressClassName: nginx
  tls: [{hosts: [shop.example.org], secretName: shop-tls}]
  rules:
    - host: shop.example.org
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: shop-web, port: {number: 80}}}}]}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: coupons.shop.example.org}
spec:
  group: shop.example.org
  scope: Namespaced
  names: {kind: Coupon, plural: coupons}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
---
apiVersion: v1
kind: Pod
metadata:
  name: shop-web-abc
  namespace: trade
  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: shop-web-1, uid: u, controller: true}]
spec: {containers: []}
`;
