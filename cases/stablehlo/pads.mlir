module @jit_pads attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<6x7xf32> {jax.result_info = "result[0]"}, tensor<7x5xf32> {jax.result_info = "result[1]"}, tensor<5x6xf32> {jax.result_info = "result[2]"}, tensor<5x8xf32> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<7> : tensor<i32>
    %0 = call @_pad(%arg0, %c) : (tensor<3x4xf32>, tensor<i32>) -> tensor<6x7xf32>
    %cst = stablehlo.constant dense<9.000000e+00> : tensor<f32>
    %1 = stablehlo.pad %arg0, %cst, low = [1, -1], high = [-1, 2], interior = [2, 0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<7x5xf32>
    %2 = call @_pad_0(%arg0) : (tensor<3x4xf32>) -> tensor<5x6xf32>
    %3 = call @_pad_1(%arg0) : (tensor<3x4xf32>) -> tensor<5x8xf32>
    return %0, %1, %2, %3 : tensor<6x7xf32>, tensor<7x5xf32>, tensor<5x6xf32>, tensor<5x8xf32>
  }
  func.func private @_pad(%arg0: tensor<3x4xf32>, %arg1: tensor<i32>) -> tensor<6x7xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 0], high = [2, 3], interior = [0, 0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<6x7xf32>
    return %1 : tensor<6x7xf32>
  }
  func.func private @_pad_0(%arg0: tensor<3x4xf32>) -> tensor<5x6xf32> {
    %0 = stablehlo.slice %arg0 [0:1, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x1x4xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x1x4xf32>) -> tensor<1x4xf32>
    %3 = stablehlo.slice %arg0 [2:3, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 2] : (tensor<1x4xf32>) -> tensor<1x1x4xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x1x4xf32>) -> tensor<1x4xf32>
    %6 = stablehlo.concatenate %2, %arg0, %5, dim = 0 : (tensor<1x4xf32>, tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<5x4xf32>
    %7 = stablehlo.slice %6 [0:5, 0:1] : (tensor<5x4xf32>) -> tensor<5x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x1x1xf32>
    %9 = stablehlo.reshape %8 : (tensor<5x1x1xf32>) -> tensor<5x1xf32>
    %10 = stablehlo.slice %6 [0:5, 3:4] : (tensor<5x4xf32>) -> tensor<5x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x1x1xf32>
    %12 = stablehlo.reshape %11 : (tensor<5x1x1xf32>) -> tensor<5x1xf32>
    %13 = stablehlo.concatenate %9, %6, %12, dim = 1 : (tensor<5x1xf32>, tensor<5x4xf32>, tensor<5x1xf32>) -> tensor<5x6xf32>
    return %13 : tensor<5x6xf32>
  }
  func.func private @_pad_1(%arg0: tensor<3x4xf32>) -> tensor<5x8xf32> {
    %0 = stablehlo.slice %arg0 [1:2, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %1 = call @_flip(%0) : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %2 = stablehlo.concatenate %1, %arg0, dim = 0 : (tensor<1x4xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
    %3 = stablehlo.slice %2 [2:3, 0:4] : (tensor<4x4xf32>) -> tensor<1x4xf32>
    %4 = call @_flip(%3) : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %5 = stablehlo.concatenate %2, %4, dim = 0 : (tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<5x4xf32>
    %6 = stablehlo.slice %5 [0:5, 1:3] : (tensor<5x4xf32>) -> tensor<5x2xf32>
    %7 = call @_flip_2(%6) : (tensor<5x2xf32>) -> tensor<5x2xf32>
    %8 = stablehlo.concatenate %7, %5, dim = 1 : (tensor<5x2xf32>, tensor<5x4xf32>) -> tensor<5x6xf32>
    %9 = stablehlo.slice %8 [0:5, 3:5] : (tensor<5x6xf32>) -> tensor<5x2xf32>
    %10 = call @_flip_2(%9) : (tensor<5x2xf32>) -> tensor<5x2xf32>
    %11 = stablehlo.concatenate %8, %10, dim = 1 : (tensor<5x6xf32>, tensor<5x2xf32>) -> tensor<5x8xf32>
    return %11 : tensor<5x8xf32>
  }
  func.func private @_flip(%arg0: tensor<1x4xf32>) -> tensor<1x4xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<1x4xf32>
    return %0 : tensor<1x4xf32>
  }
  func.func private @_flip_2(%arg0: tensor<5x2xf32>) -> tensor<5x2xf32> {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<5x2xf32>
    return %0 : tensor<5x2xf32>
  }
}
