module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6xf32>) -> (tensor<2x2xf32> {jax.result_info = "result[0]"}, tensor<2x2xi32> {jax.result_info = "result[1]"}, tensor<3xf32> {jax.result_info = "result[2]"}, tensor<3xi32> {jax.result_info = "result[3]"}) {
    %values, %indices = chlo.top_k(%arg0, k = 2) : tensor<2x6xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)
    %0 = stablehlo.slice %arg0 [0:1, 0:6] : (tensor<2x6xf32>) -> tensor<1x6xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x6xf32>) -> tensor<6xf32>
    %values_0, %indices_1 = chlo.top_k(%1, k = 3) : tensor<6xf32> -> (tensor<3xf32>, tensor<3xi32>)
    return %values, %indices, %values_0, %indices_1 : tensor<2x2xf32>, tensor<2x2xi32>, tensor<3xf32>, tensor<3xi32>
  }
}
